//===- st_native.h - Entry of a native run ----------------------*- C++ -*-===//

#ifndef STREAMTENSOR_RUNTIME_ST_NATIVE_H
#define STREAMTENSOR_RUNTIME_ST_NATIVE_H

#include "st_channel.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

namespace st {

/// The scalar at an address, which lies in its range.
inline int scalar(const char *name, const void *address, int low, int high) {
  int value = *static_cast<const int *>(address);
  if (value < low || value > high)
    throw std::out_of_range("scalar '" + std::string(name) + "' is " + std::to_string(value) +
                            "; it must lie between " + std::to_string(low) + " and " +
                            std::to_string(high));
  return value;
}

/// A piece of memory as it was.
class Kept {
public:
  Kept(void *address, std::size_t bytes)
      : address(static_cast<char *>(address)), bytes(this->address, this->address + bytes) {}
  void restore() const { std::copy(bytes.begin(), bytes.end(), address); }

private:
  char *address;
  std::vector<char> bytes;
};

/// Runs a design; 0, or 1 with the reason in `message` (cut to `capacity`, always terminated).
template <typename Design> int native_call(char *message, std::size_t capacity, Design &&design) {
  auto fail = [&](const char *reason) {
    if (capacity > 0) {
      std::strncpy(message, reason, capacity - 1);
      message[capacity - 1] = '\0';
    }
    return 1;
  };
  leftover_report().clear();
  try {
    design();
  } catch (const std::bad_alloc &) {
    return fail("out of memory");
  } catch (const std::exception &error) {
    return fail(error.what());
  }
  return leftover_report().empty() ? 0 : fail(leftover_report().c_str());
}

} // namespace st

#endif
