// A stand-in for XRT's library: the functions that host programs call, with buffers in memory and
// native designs for kernels. A "binary" is a text file:
//
//   design LIBRARY CALL COUNT   (the native call of all kernels, and its arguments)
//   kernel NAME
//   arg MEMORY PLACE            (one line for each argument of the kernel; "-" for a scalar; its
//                                place in the call)
//
// Kernels of one binary wait for each other: the call is made when all have been started, and a
// kernel that is waited for before that never ends.
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

struct Kernel {
  std::string name;
  std::vector<std::string> arguments; // memories
  std::vector<int> places;
};

struct Binary {
  std::string library, call;
  std::size_t count = 0;
  std::vector<Kernel> kernels;

  const Kernel *find(const std::string &name) const {
    for (const Kernel &kernel : kernels)
      if (kernel.name == name)
        return &kernel;
    return nullptr;
  }
};

int group_of(const std::string &memory) {
  std::size_t open = memory.find('[');
  return open == std::string::npos ? -1 : std::stoi(memory.substr(open + 1));
}

Binary loaded; // one card
/// Of the launch that is under way: kernels that were started, and the arguments of the call.
std::vector<std::string> started;
std::map<int, void *> given;

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
  Kernel kernel;
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
  Kernel kernel;
};
class run_impl {
public:
  Kernel kernel;
  std::map<int, bo> buffers;
  std::map<int, std::vector<char>> scalars;
  ert_cmd_state state = ERT_CMD_STATE_NEW;
};

/// Runs that were started and have not ended.
static std::vector<std::shared_ptr<run_impl>> running;

xclbin::xclbin(const std::string &file) {
  std::ifstream stream(file);
  auto impl = std::make_shared<xclbin_impl>();
  std::string word;
  while (stream >> word) {
    std::vector<Kernel> &kernels = impl->binary.kernels;
    if (word == "design") {
      stream >> impl->binary.library >> impl->binary.call >> impl->binary.count;
    } else if (word == "kernel") {
      stream >> kernels.emplace_back().name;
    } else if (word == "arg") {
      int place;
      stream >> word >> place;
      kernels.back().arguments.push_back(word);
      kernels.back().places.push_back(place);
    } else {
      throw std::runtime_error("not an axlf file");
    }
  }
  handle = impl;
}
xclbin::kernel xclbin::get_kernel(const std::string &name) const {
  const Kernel *found = handle->binary.find(name);
  if (!found)
    return {};
  auto impl = std::make_shared<kernel_impl>();
  impl->kernel = *found;
  return kernel(impl);
}
std::string xclbin::kernel::get_name() const { return handle->kernel.name; }
xclbin::arg xclbin::kernel::get_arg(int32_t index) const {
  auto impl = std::make_shared<arg_impl>();
  impl->memory = handle->kernel.arguments.at(index);
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
  std::string names;
  for (const Kernel &kernel : loaded.kernels)
    names += " " + kernel.name;
  log("load" + names);
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
  const Kernel *found = loaded.find(name);
  if (!found)
    throw std::runtime_error("No compute units matching '" + name + "'");
  handle = std::make_shared<kernel_impl>();
  handle->kernel = *found;
}
int kernel::group_id(int index) const { return group_of(handle->kernel.arguments.at(index)); }

run::run(const kernel &kernel) {
  handle = std::make_shared<run_impl>();
  handle->kernel = kernel.get_handle()->kernel;
}
void run::set_arg_at_index(int index, const bo &buffer) {
  if (buffer.get_handle()->group != group_of(handle->kernel.arguments.at(index)))
    throw std::runtime_error("buffer in another memory than argument " + std::to_string(index));
  handle->buffers[index] = buffer;
}
void run::set_arg_at_index(int index, const void *value, size_t size) {
  if (handle->kernel.arguments.at(index) != "-")
    throw std::runtime_error("argument " + std::to_string(index) + " is no scalar");
  const char *bytes = static_cast<const char *>(value);
  handle->scalars[index].assign(bytes, bytes + size);
}
/// Calls the design, all of whose kernels were started.
static ert_cmd_state call_design() {
  std::vector<void *> addresses;
  for (std::size_t place = 0; place < loaded.count; ++place)
    addresses.push_back(given.at(place));
  void *library = dlopen(loaded.library.c_str(), RTLD_NOW);
  auto call = reinterpret_cast<int (*)(void *const *, char *, std::size_t)>(
      library ? dlsym(library, loaded.call.c_str()) : nullptr);
  char reason[1024];
  bool failed = !call || call(addresses.data(), reason, sizeof(reason));
  started.clear();
  given.clear();
  return failed ? ERT_CMD_STATE_ERROR : ERT_CMD_STATE_COMPLETED;
}

void run::start() {
  const Kernel &kernel = handle->kernel;
  for (std::size_t index = 0; index < kernel.arguments.size(); ++index) {
    void *&address = given[kernel.places[index]];
    void *own = nullptr;
    if (auto buffer = handle->buffers.find(index); buffer != handle->buffers.end()) {
      bo_impl &memory = *buffer->second.get_handle();
      own = memory.sides->card.data() + memory.offset;
    } else {
      own = handle->scalars.at(index).data();
    }
    if (address && kernel.arguments[index] != "-" && address != own)
      throw std::runtime_error("two buffers for one argument of the design");
    address = own;
  }
  started.push_back(kernel.name);
  log("launch " + kernel.name);
  handle->state = started.size() < loaded.kernels.size() ? ERT_CMD_STATE_RUNNING : call_design();
  running.push_back(handle);
  if (handle->state != ERT_CMD_STATE_RUNNING) {
    for (auto &other : running)
      other->state = handle->state;
    running.clear();
  }
}
ert_cmd_state run::wait(const std::chrono::milliseconds &) const {
  if (handle->state == ERT_CMD_STATE_RUNNING)
    throw std::runtime_error("kernel '" + handle->kernel.name +
                             "' waits for tokens of one that was not started");
  return handle->state;
}

} // namespace xrt
