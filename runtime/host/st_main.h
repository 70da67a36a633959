//===- st_main.h - The command line of a host program -----------*- C++ -*-===//

#ifndef STREAMTENSOR_RUNTIME_ST_MAIN_H
#define STREAMTENSOR_RUNTIME_ST_MAIN_H

#include "st_images.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace st {

/// What a host program is asked to do.
struct Request {
  std::vector<std::string> data;     ///< a directory for each run
  std::vector<std::string> settings; ///< NAME=VALUE
  std::string root = "..";           ///< the output directory of the compilation
  std::string images, pack;
  std::string xclbins = ".";
  unsigned card = 0;
  /// Compare the results with those that are there; floats within `tolerance` of the largest.
  bool checks = false;
  double tolerance = 0;
};

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline Request read_request(int argc, char **argv, bool has_card) {
  Request request;
  for (int place = 1; place < argc; ++place) {
    std::string word = argv[place];
    auto next = [&] {
      if (place + 1 >= argc)
        throw UsageError("option '" + word + "' lacks its value");
      return std::string(argv[++place]);
    };
    if (word == "--root")
      request.root = next();
    else if (word == "--images")
      request.images = next();
    else if (word == "--pack")
      request.pack = next();
    else if (word == "--check")
      request.checks = true;
    else if (word == "--tolerance")
      request.tolerance = std::stod(next());
    else if (has_card && word == "--xclbins")
      request.xclbins = next();
    else if (has_card && word == "--card")
      request.card = static_cast<unsigned>(std::stoul(next()));
    else if (word.rfind("--", 0) == 0)
      throw UsageError("there is no option '" + word + "'");
    else
      (word.find('=') == std::string::npos ? request.data : request.settings).push_back(word);
  }
  if (request.data.empty())
    throw UsageError("no directory with tensors is named");
  return request;
}

inline const char *get_usage(bool has_card) {
  return has_card ? "[--xclbins DIR] [--card N] [--root DIR] [--images DIR | --pack DIR] "
                    "[--check [--tolerance X]] DATA... [SCALAR=VALUE...]"
                  : "[--root DIR] [--images DIR | --pack DIR] [--check [--tolerance X]] DATA... "
                    "[SCALAR=VALUE...]";
}

/// The values of `scalars`: from `settings` (NAME=VALUE), else the largest.
inline std::vector<int> read_scalars(const std::vector<ScalarRange> &scalars,
                                     const std::vector<std::string> &settings) {
  std::vector<int> values;
  for (const ScalarRange &scalar : scalars)
    values.push_back(scalar.high);
  std::vector<bool> given(scalars.size(), false);
  for (const std::string &setting : settings) {
    std::size_t end = setting.find('='), place = 0;
    while (place < scalars.size() && setting.substr(0, end) != scalars[place].name)
      ++place;
    if (place == scalars.size())
      throw UsageError("'" + setting + "' gives no scalar of the program a value");
    long value = std::stol(setting.substr(end + 1));
    if (value < scalars[place].low || value > scalars[place].high)
      throw std::out_of_range("scalar '" + setting + "' must lie between " +
                              std::to_string(scalars[place].low) + " and " +
                              std::to_string(scalars[place].high));
    values[place] = static_cast<int>(value);
    given[place] = true;
  }
  for (std::size_t place = 0; place < scalars.size(); ++place)
    if (!given[place])
      std::fprintf(stderr, "%s = %d (the largest)\n", scalars[place].name, values[place]);
  return values;
}

inline std::string numbered(const char *stem, std::size_t index) {
  return stem + std::to_string(index) + ".bin";
}

/// Gives the runner the tensors of one directory; parameters only where `parameters` says so.
inline void read_arguments(Runner &runner, const Directory &data, bool inputs, bool parameters) {
  const Program &program = runner.get_program();
  for (std::size_t index = 0; index < program.arguments.size(); ++index) {
    const NamedTensor &argument = program.arguments[index];
    if (argument.is_parameter ? parameters : inputs)
      runner.set(argument.value,
                 data.read(numbered("arg", index), program.values[argument.value].bytes));
  }
}

inline void read_constants(Runner &runner, const Directory &root) {
  const Program &program = runner.get_program();
  for (const Constant &constant : program.constants)
    runner.set(constant.value, root.read(constant.file, program.values[constant.value].bytes));
}

/// The largest difference of two tensors of floats, as a share of the largest element.
template <typename Float> double get_difference(const Bytes &found, const Bytes &expected) {
  double largest = 0, difference = 0;
  for (std::size_t place = 0; place + sizeof(Float) <= found.size(); place += sizeof(Float)) {
    Float left, right;
    std::memcpy(&left, found.data() + place, sizeof(Float));
    std::memcpy(&right, expected.data() + place, sizeof(Float));
    if (left == right || (left != left && right != right))
      continue;
    difference = std::max(difference, std::abs(double(left) - double(right)));
    if (left != left || right != right)
      return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::abs(double(right)));
  }
  return largest > 0 ? difference / largest : difference;
}

/// Fails where a result is not what a file holds.
inline void compare(const Bytes &found, const Bytes &expected, const std::string &dtype,
                    double tolerance, const std::string &file) {
  auto place = std::mismatch(found.begin(), found.end(), expected.begin()).first;
  if (place == found.end())
    return;
  std::string where = "'" + file + "' differs from the result ";
  if (tolerance == 0 || (dtype != "float32" && dtype != "float64"))
    throw std::runtime_error(where + "at byte " + std::to_string(place - found.begin()));
  double difference = dtype == "float32" ? get_difference<float>(found, expected)
                                         : get_difference<double>(found, expected);
  if (!(difference <= tolerance))
    throw std::runtime_error(where + "by " + std::to_string(difference) + " of its largest value");
}

/// Writes the results, or compares them with those that are there.
inline void end_run(Runner &runner, const Directory &data, const Request &request) {
  const Program &program = runner.get_program();
  for (std::size_t index = 0; index < program.results.size(); ++index) {
    const Bytes &result = runner.get(program.results[index]);
    std::string file = numbered("result", index);
    if (request.checks)
      compare(result, data.read(file, result.size()), program.values[program.results[index]].dtype,
              request.tolerance, data.of(file));
    else
      data.write(file, result);
  }
}

inline void serve(const Program &program, Device &device, const Request &request) {
  std::vector<int> scalars = read_scalars(program.scalars, request.settings);
  Runner runner(program, device);
  if (!request.pack.empty()) {
    read_constants(runner, Directory(request.root));
    read_arguments(runner, Directory(request.data[0]), false, true);
    return write_images(runner, Directory(request.pack));
  }
  if (!request.images.empty()) {
    load_images(runner, device, Directory(request.images));
  } else {
    read_constants(runner, Directory(request.root));
    read_arguments(runner, Directory(request.data[0]), false, true);
  }
  for (const std::string &path : request.data) {
    read_arguments(runner, Directory(path), true, false);
    runner.run(scalars);
    end_run(runner, Directory(path), request);
  }
}

/// `make` gives the device that a request asks for. 0 done, 1 it failed, 2 wrong usage.
template <typename Make>
int host_main(int argc, char **argv, const Program &program, bool has_card, Make &&make) {
  try {
    Request request = read_request(argc, argv, has_card);
    auto device = make(request);
    serve(program, *device, request);
  } catch (const UsageError &error) {
    std::fprintf(stderr, "error: %s\nusage: %s %s\n", error.what(), argv[0], get_usage(has_card));
    return 2;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}

} // namespace st

#endif
