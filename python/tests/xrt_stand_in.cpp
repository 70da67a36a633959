// A stand-in for XRT's library: the functions that host programs call, with buffers in memory and
// native designs for kernels. A "binary" is a text file:
//
//   kernel NAME LIBRARY CALL
//   arg MEMORY        (one line for each argument of the kernel; "-" for a scalar)
//
// As on a card, a buffer has a copy on either side that `sync` moves, and a kernel takes a buffer
// only from the memory that its argument is linked to. XRT_STAND_IN_LOG names a file that says what
// was moved and launched.

#include "experimental/xrt_xclbin.h"
#include "xrt/xrt_bo.h"
#include "xrt/xrt_device.h"
#include "xrt/xrt_kernel.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace {

void log(const std::string &line) {
  if (const char *path = std::getenv("XRT_STAND_IN_LOG"))
    std::ofstream(path, std::ios::app) << line << "\n";
}

struct Binary {
  std::string name, library, call;
  std::vector<std::string> arguments; // memories
};

int group_of(const std::string &memory) {
  std::size_t open = memory.find('[');
  return open == std::string::npos ? -1 : std::stoi(memory.substr(open + 1));
}

Binary loaded; // one card

} // namespace

namespace xrt_core {
class device {};
} // namespace xrt_core

namespace xrt {

class xclbin_impl {
public:
  Binary binary;
};
class xclbin::kernel_impl {
public:
  Binary binary;
};
class xclbin::arg_impl {
public:
  std::string memory;
};
class xclbin::mem_impl {
public:
  std::string tag;
};
class bo_impl {
public:
  struct Sides {
    std::vector<char> host, card;
  };
  std::shared_ptr<Sides> sides;
  std::size_t offset, size;
  int group;
};
class kernel_impl {
public:
  Binary binary;
};
class run_impl {
public:
  Binary binary;
  std::map<int, bo> buffers;
  std::map<int, std::vector<char>> scalars;
  ert_cmd_state state = ERT_CMD_STATE_NEW;
};

xclbin::xclbin(const std::string &file) {
  std::ifstream stream(file);
  auto impl = std::make_shared<xclbin_impl>();
  std::string word;
  while (stream >> word) {
    if (word == "kernel") {
      stream >> impl->binary.name >> impl->binary.library >> impl->binary.call;
    } else if (word == "arg") {
      stream >> word;
      impl->binary.arguments.push_back(word);
    } else {
      throw std::runtime_error("not an axlf file");
    }
  }
  handle = impl;
}
xclbin::kernel xclbin::get_kernel(const std::string &name) const {
  if (handle->binary.name != name)
    return {};
  auto impl = std::make_shared<kernel_impl>();
  impl->binary = handle->binary;
  return kernel(impl);
}
std::string xclbin::kernel::get_name() const { return handle->binary.name; }
xclbin::arg xclbin::kernel::get_arg(int32_t index) const {
  auto impl = std::make_shared<arg_impl>();
  impl->memory = handle->binary.arguments.at(index);
  return arg(impl);
}
std::vector<xclbin::mem> xclbin::arg::get_mems() const {
  auto impl = std::make_shared<mem_impl>();
  impl->tag = handle->memory;
  return handle->memory == "-" ? std::vector<mem>() : std::vector<mem>{mem(impl)};
}
std::string xclbin::mem::get_tag() const { return handle->tag; }

device::device(unsigned int index) {
  if (index > 0)
    throw std::runtime_error("Could not open device with index '" + std::to_string(index) + "'");
  handle = std::make_shared<xrt_core::device>();
}
device::operator xclDeviceHandle() const { return handle.get(); }
uuid device::load_xclbin(const xclbin &binary) {
  loaded = binary.get_handle()->binary;
  log("load " + loaded.name);
  return uuid();
}

bo::bo(xclDeviceHandle, size_t size, flags, memory_group group) {
  auto sides = std::make_shared<bo_impl::Sides>();
  sides->host.resize(size);
  sides->card.assign(size, 0x55); // what no one wrote is not 0
  handle = std::make_shared<bo_impl>(bo_impl{sides, 0, size, static_cast<int>(group)});
}
bo::bo(const bo &parent, size_t size, size_t offset) {
  if (offset % 4096 || parent.handle->offset + offset + size > parent.handle->sides->host.size())
    throw std::runtime_error("invalid sub-buffer");
  handle = std::make_shared<bo_impl>(
      bo_impl{parent.handle->sides, parent.handle->offset + offset, size, parent.handle->group});
}
static void check(const bo_impl &buffer, size_t size, size_t offset) {
  if (offset + size > buffer.size)
    throw std::runtime_error("attempting to access past buffer size");
}
void bo::write(const void *from, size_t size, size_t offset) {
  check(*handle, size, offset);
  std::memcpy(handle->sides->host.data() + handle->offset + offset, from, size);
}
void bo::read(void *into, size_t size, size_t offset) {
  check(*handle, size, offset);
  std::memcpy(into, handle->sides->host.data() + handle->offset + offset, size);
}
void bo::sync(xclBOSyncDirection direction, size_t size, size_t offset) {
  check(*handle, size, offset);
  auto &[host, card] = *handle->sides;
  bool out = direction == XCL_BO_SYNC_BO_TO_DEVICE;
  std::vector<char> &from = out ? host : card, &into = out ? card : host;
  std::memcpy(into.data() + handle->offset + offset, from.data() + handle->offset + offset, size);
  log(std::string(out ? "to " : "from ") + std::to_string(size));
}

kernel::kernel(const device &, const uuid &, const std::string &name, cu_access_mode) {
  if (name != loaded.name)
    throw std::runtime_error("No compute units matching '" + name + "'");
  handle = std::make_shared<kernel_impl>();
  handle->binary = loaded;
}
int kernel::group_id(int index) const { return group_of(handle->binary.arguments.at(index)); }

run::run(const kernel &kernel) {
  handle = std::make_shared<run_impl>();
  handle->binary = kernel.get_handle()->binary;
}
void run::set_arg_at_index(int index, const bo &buffer) {
  if (buffer.get_handle()->group != group_of(handle->binary.arguments.at(index)))
    throw std::runtime_error("buffer in another memory than argument " + std::to_string(index));
  handle->buffers[index] = buffer;
}
void run::set_arg_at_index(int index, const void *value, size_t size) {
  if (handle->binary.arguments.at(index) != "-")
    throw std::runtime_error("argument " + std::to_string(index) + " is no scalar");
  const char *bytes = static_cast<const char *>(value);
  handle->scalars[index].assign(bytes, bytes + size);
}
void run::start() {
  std::vector<void *> addresses;
  for (std::size_t index = 0; index < handle->binary.arguments.size(); ++index) {
    if (auto buffer = handle->buffers.find(index); buffer != handle->buffers.end()) {
      bo_impl &memory = *buffer->second.get_handle();
      addresses.push_back(memory.sides->card.data() + memory.offset);
    } else {
      addresses.push_back(handle->scalars.at(index).data());
    }
  }
  void *library = dlopen(handle->binary.library.c_str(), RTLD_NOW);
  auto call = reinterpret_cast<int (*)(void *const *, char *, std::size_t)>(
      library ? dlsym(library, handle->binary.call.c_str()) : nullptr);
  char reason[1024];
  bool failed = !call || call(addresses.data(), reason, sizeof(reason));
  handle->state = failed ? ERT_CMD_STATE_ERROR : ERT_CMD_STATE_COMPLETED;
  log("launch " + handle->binary.name);
}
ert_cmd_state run::wait(const std::chrono::milliseconds &) const { return handle->state; }

} // namespace xrt
