//===- ChannelProblem.h - Sharing channels of memory ------------*- C++ -*-===//
//
// Which channel of external memory holds what, so that no channel has much more to move than the
// others. Plain data that knows nothing of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_SCHEDULE_CHANNELPROBLEM_H
#define STREAMTENSOR_SCHEDULE_CHANNELPROBLEM_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace streamtensor::schedule {

/// What a launch of a design moves over a channel, and the ports that it has there.
struct ChannelUse {
  int64_t bytes = 0, ports = 0;
};

/// A part of a tensor that lies in one channel: the whole of it, or a stripe.
struct ChannelPiece {
  struct Share {
    size_t design;
    ChannelUse use;
  };
  /// Stripes of one tensor lie in channels of their own, as far as there are any.
  size_t tensor = 0;
  /// What it adds in each design that reaches it.
  std::vector<Share> shares;
  /// Where it has to lie.
  std::optional<int64_t> fixed;
};

/// The channel of each piece.
using ChannelChoice = std::vector<int64_t>;

struct ChannelProblem {
  int64_t channels = 0, portsPerChannel = 0;
  /// What lies there already, by design and channel.
  std::vector<std::vector<ChannelUse>> stated;
  /// In the order in which they choose.
  std::vector<ChannelPiece> pieces;

  /// By design and channel, under a choice for the first pieces.
  std::vector<std::vector<ChannelUse>> getUses(const ChannelChoice &choice) const;
  /// Bytes of the busiest channel of each design, together: launches follow one another.
  int64_t getCost(const ChannelChoice &choice) const;
  /// No choice has a lower cost: the bytes of each design spread evenly, or its largest piece.
  int64_t getBound() const;
};

/// Each piece takes, of the channels with room for its ports, one that holds no other stripe of its
/// tensor, has least to move and fewest ports. Ends before the first piece that finds none. Where
/// pieces come by falling size, without stripes and with one design, the busiest channel moves at
/// most 4/3 of the least possible (Graham, 1969).
ChannelChoice chooseInOrder(const ChannelProblem &problem);

/// Moves a piece, or swaps two, as long as that lowers the cost or, at equal cost, spreads the
/// bytes more evenly; no piece that is fixed, none to where ports or another stripe of its tensor
/// are in the way.
void improve(const ChannelProblem &problem, ChannelChoice &choice);

} // namespace streamtensor::schedule

#endif
