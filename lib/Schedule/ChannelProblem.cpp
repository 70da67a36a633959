//===- ChannelProblem.cpp - Sharing channels of memory --------------------===//

#include "streamtensor/Schedule/ChannelProblem.h"

#include <algorithm>
#include <tuple>

namespace streamtensor::schedule {
namespace {

/// A choice with what it makes of the channels.
class Channels {
public:
  explicit Channels(const ChannelProblem &problem) : problem(problem), uses(problem.stated) {}

  void add(size_t piece, int64_t channel, int64_t sign = 1) {
    for (const ChannelPiece::Share &share : problem.pieces[piece].shares) {
      uses[share.design][channel].bytes += sign * share.use.bytes;
      uses[share.design][channel].ports += sign * share.use.ports;
    }
  }

  bool hasRoom(size_t piece, int64_t channel) const {
    for (const ChannelPiece::Share &share : problem.pieces[piece].shares)
      if (uses[share.design][channel].ports + share.use.ports > problem.portsPerChannel)
        return false;
    return true;
  }

  /// What the designs of the piece move there.
  int64_t getLoad(size_t piece, int64_t channel) const {
    int64_t sum = 0;
    for (const ChannelPiece::Share &share : problem.pieces[piece].shares)
      sum += uses[share.design][channel].bytes;
    return sum;
  }

  int64_t getPorts(size_t piece, int64_t channel) const {
    return uses[problem.pieces[piece].shares.front().design][channel].ports;
  }

  /// Bytes of the busiest channels, then the sum of squares: lower is better balanced.
  std::pair<int64_t, double> getBalance() const {
    int64_t busiest = 0;
    double squares = 0;
    for (const std::vector<ChannelUse> &design : uses) {
      int64_t most = 0;
      for (const ChannelUse &use : design) {
        most = std::max(most, use.bytes);
        squares += double(use.bytes) * double(use.bytes);
      }
      busiest += most;
    }
    return {busiest, squares};
  }

  /// Of any design?
  bool isBusiest(int64_t channel) const {
    return std::any_of(uses.begin(), uses.end(), [&](const std::vector<ChannelUse> &design) {
      return std::all_of(design.begin(), design.end(),
                         [&](const ChannelUse &use) { return use.bytes <= design[channel].bytes; });
    });
  }

  const std::vector<std::vector<ChannelUse>> &get() const { return uses; }

private:
  const ChannelProblem &problem;
  std::vector<std::vector<ChannelUse>> uses;
};

/// The search for better choices next to one.
class Improvement {
public:
  Improvement(const ChannelProblem &problem, ChannelChoice &choice)
      : problem(problem), choice(choice), channels(problem) {
    for (size_t piece = 0; piece < choice.size(); ++piece)
      channels.add(piece, choice[piece]);
  }

  /// Changes one piece on a busiest channel, alone or with another, if that is better.
  bool step() {
    for (size_t piece = 0; piece < choice.size(); ++piece) {
      if (problem.pieces[piece].fixed || !channels.isBusiest(choice[piece]))
        continue;
      for (int64_t channel = 0; channel < problem.channels; ++channel)
        if (channel != choice[piece] && tryMoves({{piece, channel}}))
          return true;
      for (size_t other = 0; other < choice.size(); ++other)
        if (!problem.pieces[other].fixed && choice[other] != choice[piece] &&
            tryMoves({{piece, choice[other]}, {other, choice[piece]}}))
          return true;
    }
    return false;
  }

private:
  using Move = std::pair<size_t, int64_t>;

  bool holdsOtherStripe(size_t piece, int64_t channel) const {
    for (size_t other = 0; other < choice.size(); ++other)
      if (other != piece && choice[other] == channel &&
          problem.pieces[other].tensor == problem.pieces[piece].tensor)
        return true;
    return false;
  }

  bool tryMoves(const std::vector<Move> &moves) {
    std::pair<int64_t, double> before = channels.getBalance();
    ChannelChoice kept = choice;
    for (auto [piece, channel] : moves)
      channels.add(piece, choice[piece], -1);
    for (auto [piece, channel] : moves)
      choice[piece] = channel;
    bool isAllowed = true;
    for (auto [piece, channel] : moves) {
      isAllowed &= channels.hasRoom(piece, channel) && !holdsOtherStripe(piece, channel);
      channels.add(piece, channel);
    }
    if (isAllowed && channels.getBalance() < before)
      return true;
    for (auto [piece, channel] : moves)
      channels.add(piece, channel, -1);
    choice = std::move(kept);
    for (auto [piece, channel] : moves)
      channels.add(piece, choice[piece]);
    return false;
  }

  const ChannelProblem &problem;
  ChannelChoice &choice;
  Channels channels;
};

} // namespace

std::vector<std::vector<ChannelUse>> ChannelProblem::getUses(const ChannelChoice &choice) const {
  Channels channels(*this);
  for (size_t piece = 0; piece < choice.size(); ++piece)
    channels.add(piece, choice[piece]);
  return channels.get();
}

int64_t ChannelProblem::getCost(const ChannelChoice &choice) const {
  int64_t cost = 0;
  for (const std::vector<ChannelUse> &design : getUses(choice)) {
    int64_t most = 0;
    for (const ChannelUse &use : design)
      most = std::max(most, use.bytes);
    cost += most;
  }
  return cost;
}

int64_t ChannelProblem::getBound() const {
  std::vector<int64_t> sums(stated.size(), 0), largest(stated.size(), 0);
  for (size_t design = 0; design < stated.size(); ++design)
    for (const ChannelUse &use : stated[design]) {
      sums[design] += use.bytes;
      largest[design] = std::max(largest[design], use.bytes);
    }
  for (const ChannelPiece &piece : pieces)
    for (const ChannelPiece::Share &share : piece.shares) {
      sums[share.design] += share.use.bytes;
      largest[share.design] = std::max(largest[share.design], share.use.bytes);
    }
  int64_t bound = 0;
  for (size_t design = 0; design < stated.size(); ++design)
    bound += std::max((sums[design] + channels - 1) / channels, largest[design]);
  return bound;
}

ChannelChoice chooseInOrder(const ChannelProblem &problem) {
  Channels channels(problem);
  ChannelChoice choice;
  for (size_t number = 0; number < problem.pieces.size(); ++number) {
    const ChannelPiece &piece = problem.pieces[number];
    std::optional<std::tuple<bool, int64_t, int64_t, int64_t>> best;
    for (int64_t channel = 0; channel < problem.channels && !piece.fixed; ++channel) {
      if (!channels.hasRoom(number, channel))
        continue;
      bool isTaken = false;
      for (size_t other = 0; other < number; ++other)
        isTaken |= choice[other] == channel && problem.pieces[other].tensor == piece.tensor;
      std::tuple rank(isTaken, channels.getLoad(number, channel),
                      channels.getPorts(number, channel), channel);
      best = best ? std::min(*best, rank) : rank;
    }
    if (!piece.fixed && !best)
      return choice;
    choice.push_back(piece.fixed ? *piece.fixed : std::get<3>(*best));
    channels.add(number, choice.back());
  }
  return choice;
}

void improve(const ChannelProblem &problem, ChannelChoice &choice) {
  Improvement improvement(problem, choice);
  while (improvement.step())
    ;
}

} // namespace streamtensor::schedule
