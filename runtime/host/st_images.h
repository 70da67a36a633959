//===- st_images.h - Parameters as images of memories -----------*- C++ -*-===//
//
// What a design reads of parameters and constants, as it lies in each memory of the card: one file
// for each memory, loaded by one transfer. A file is a page that says what it is, then the parts,
// each at the beginning of a page, in the order of the design's ports.
//
//===----------------------------------------------------------------------===//

#ifndef STREAMTENSOR_RUNTIME_ST_IMAGES_H
#define STREAMTENSOR_RUNTIME_ST_IMAGES_H

#include "st_runner.h"

#include <cstdint>
#include <cstring>

namespace st {

struct ImagePart {
  int value;
  const Port *port;
  int stripe;
  long offset, bytes;
};

struct Image {
  std::string file, memory;
  std::vector<ImagePart> parts;
  long bytes = 0; ///< of all parts, whole pages
};

constexpr long page_bytes = PageAllocator<char>::pageBytes;

inline long round_to_pages(long bytes) {
  return (bytes + page_bytes - 1) / page_bytes * page_bytes;
}

/// "layer-HBM_3.bin"
inline std::string get_image_name(const Design &design, std::string memory) {
  memory.erase(std::remove(memory.begin(), memory.end(), ']'), memory.end());
  std::replace(memory.begin(), memory.end(), '[', '_');
  return std::string(design.name) + "-" + memory + ".bin";
}

/// The images of one design, by memory in order of first use.
inline std::vector<Image> plan_images(const Program &program, const Design &design) {
  std::vector<bool> is_static = find_static_values(program);
  std::vector<Image> images;
  std::vector<ImagePart> planned;
  auto add = [&](int value, const Port &port) {
    for (const ImagePart &part : planned)
      if (part.value == value && lies_alike(*part.port, port))
        return;
    for (std::size_t stripe = 0; stripe < port.memories.size(); ++stripe) {
      const std::string &memory = port.memories[stripe];
      auto image = std::find_if(images.begin(), images.end(),
                                [&](const Image &other) { return other.memory == memory; });
      if (image == images.end())
        image = images.insert(images.end(), {get_image_name(design, memory), memory, {}});
      long bytes = get_part_bytes(port, program.values[value].bytes);
      planned.push_back({value, &port, static_cast<int>(stripe), image->bytes, bytes});
      image->parts.push_back(planned.back());
      image->bytes += round_to_pages(bytes);
    }
  };
  for (const Step &step : program.steps) {
    if (step.kind != Step::launch || &program.designs[step.design] != &design)
      continue;
    std::vector<int> values = get_values_of_ports(design, step);
    for (std::size_t index = 0; index < design.ports.size(); ++index)
      if (design.ports[index].direction == Direction::in && is_static[values[index]])
        add(values[index], design.ports[index]);
  }
  return images;
}

/// The first page of a file: what it is an image of.
struct ImageHeader {
  char kind[8];
  std::uint64_t plan, bytes;
};

/// A number that changes with what lies where (FNV-1a).
inline std::uint64_t get_plan_number(const Image &image) {
  std::string text = image.file;
  for (const ImagePart &part : image.parts)
    text += std::string("/") + part.port->name + ":" + std::to_string(part.stripe) + ":" +
            std::to_string(part.bytes) + ":" + std::to_string(part.port->shared_bits);
  std::uint64_t number = 14695981039346656037u;
  for (char character : text)
    number = (number ^ static_cast<unsigned char>(character)) * 1099511628211u;
  return number;
}

inline ImageHeader make_header(const Image &image) {
  ImageHeader header{{'S', 'T', 'B', 'A', 'N', 'K', '1', '\0'}, get_plan_number(image), 0};
  header.bytes = static_cast<std::uint64_t>(image.bytes);
  return header;
}

/// Writes the images of all designs. The runner has the parameters and the constants.
inline void write_images(Runner &runner, const Directory &directory) {
  const Program &program = runner.get_program();
  runner.prepare();
  for (const Design &design : program.designs)
    for (const Image &image : plan_images(program, design)) {
      Bytes bytes(page_bytes + image.bytes);
      ImageHeader header = make_header(image);
      std::memcpy(bytes.data(), &header, sizeof(header));
      for (const ImagePart &part : image.parts) {
        Bytes own = lay_out(runner.get(part.value), *part.port)[part.stripe];
        std::copy(own.begin(), own.end(), bytes.begin() + page_bytes + part.offset);
      }
      directory.write(image.file, bytes);
    }
}

/// A file that was written for this image, without its first page.
inline Bytes read_image(const Image &image, const Directory &directory) {
  Bytes bytes = directory.read(image.file, page_bytes + image.bytes);
  ImageHeader header = make_header(image);
  if (std::memcmp(bytes.data(), &header, sizeof(header)) != 0)
    throw std::runtime_error("'" + directory.of(image.file) +
                             "' is no image of this design's parameters in " + image.memory +
                             ": write the images again with --pack");
  bytes.erase(bytes.begin(), bytes.begin() + page_bytes);
  return bytes;
}

/// Loads the images of all designs: the parameters are then in the memory of the device.
inline void load_images(Runner &runner, Device &device, const Directory &directory) {
  const Program &program = runner.get_program();
  for (const Design &design : program.designs) {
    runner.select(design);
    std::vector<std::pair<ImagePart, std::unique_ptr<Buffer>>> loaded;
    for (const Image &image : plan_images(program, design)) {
      const ImagePart &first = image.parts.front();
      std::unique_ptr<Buffer> whole = device.allocate(*first.port, first.stripe, image.bytes);
      whole->write(read_image(image, directory));
      for (const ImagePart &part : image.parts)
        loaded.push_back({part, device.part(*whole, part.offset, part.bytes)});
    }
    for (auto &[first, buffer] : loaded) {
      if (first.stripe != 0)
        continue;
      std::vector<std::unique_ptr<Buffer>> parts(first.port->memories.size());
      for (auto &[part, own] : loaded)
        if (part.value == first.value && part.port == first.port)
          parts[part.stripe] = std::move(own);
      runner.place(first.value, *first.port, std::move(parts));
    }
  }
}

} // namespace st

#endif
