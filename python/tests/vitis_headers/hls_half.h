// The interface of Vitis' half: made of a number on demand, a float wherever one is asked for.
#pragma once

class half {
public:
  half() = default;
  explicit half(float value) : value(static_cast<_Float16>(value)) {}
  template <typename Number> explicit half(Number value) : half(static_cast<float>(value)) {}
  operator float() const { return value; }

private:
  _Float16 value;
};
