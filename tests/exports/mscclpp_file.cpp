// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exports/mscclpp_file.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/exports/chunk_results.hpp"

namespace isotrope::exports {
namespace {

using network::Node;
using nlohmann::json;
using schedule::Plan;

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error("mscclpp: " + what);
}

std::int64_t number(const json& object, const char* key, std::int64_t least, std::int64_t most) {
  const json& value = object.at(key);
  if (!value.is_number_integer() || value.get<std::int64_t>() < least || value.get<std::int64_t>() > most)
    refuse(fmt::format("{} = {}", key, value.dump()));
  return value.get<std::int64_t>();
}

std::vector<std::int64_t> numbers(const json& list, std::size_t longest, std::size_t below) {
  if (!list.is_array() || list.size() > longest) refuse("a list that is too long");
  std::vector<std::int64_t> result;
  for (const json& value : list) {
    if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::size_t>() >= below)
      refuse("a number outside of its list: " + value.dump());
    result.push_back(value.get<std::int64_t>());
  }
  return result;
}

// ---- the loader: execution_plan.cc, and the limits of execution_common.hpp

constexpr std::int64_t large = std::int64_t{1} << 31;
constexpr std::size_t most_channels = 16, most_operation_channels = 8, most_operation_buffers = 10;
constexpr std::size_t most_operations = 64, most_syncers = 16, most_operation_semaphores = 16;

// What a thread block may use: its own numbers, as numbers of the GPU.
struct BlockNames {
  std::vector<std::int64_t> channels;
  std::vector<std::int64_t> buffers;
};

class Loader {
 public:
  explicit Loader(const std::string& text) : root_(json::parse(text)) {}

  MscclppFile run() {
    file_.collective = root_.at("collective").get<std::string>();
    file_.in_place = root_.at("inplace").get<bool>();
    if (root_.at("protocol") != "Simple" || root_.at("name").get<std::string>().empty() ||
        root_.at("reuse_resources") != false || root_.at("use_double_scratch_buffer") != false ||
        number(root_, "num_threads_per_block", 32, 1024) % 32 != 0 ||
        number(root_, "buffer_alignment", 16, 16) != 16 || number(root_, "min_message_size", 0, 0) != 0 ||
        !root_.at("max_message_size").is_number_unsigned())
      refuse("the head");
    for (const json& gpu : root_.at("gpus")) read_sizes(gpu);
    for (std::size_t id = 0; id < file_.gpus.size(); ++id) read_blocks(root_.at("gpus")[id], file_.gpus[id]);
    check_sizes();
    check_channels();
    check_barriers();
    return file_;
  }

 private:
  void read_sizes(const json& element) {
    number(element, "id", static_cast<std::int64_t>(file_.gpus.size()),
           static_cast<std::int64_t>(file_.gpus.size()));
    MscclppGpu gpu;
    gpu.input = number(element, "input_chunks", 1, large);  // the executor divides by them
    gpu.output = number(element, "output_chunks", 1, large);
    gpu.scratch = number(element, "scratch_chunks", 0, large);
    for (const json& channel : element.at("channels")) {
      if (channel.at("channel_type") != "memory") refuse("a channel that is not of memory");
      for (const std::int64_t peer : numbers(channel.at("connected_to"), SIZE_MAX, root_.at("gpus").size()))
        gpu.peers.push_back(peer);
    }
    for (const json& semaphore : element.at("semaphores"))
      gpu.semaphores.push_back(number(semaphore, "init_value", 0, large));
    file_.gpus.push_back(gpu);
  }

  void read_blocks(const json& element, MscclppGpu& gpu) const {
    remote_.clear();
    for (const json& buffer : element.at("remote_buffers")) {
      if (buffer.at("access_channel_types") != json{"memory"}) refuse("a buffer without a memory channel");
      const std::int64_t owner = number(buffer, "rank", 0, static_cast<std::int64_t>(file_.gpus.size()) - 1);
      if (std::ranges::find(gpu.peers, owner) == gpu.peers.end())
        refuse("a buffer of a GPU without a channel");
      remote_.push_back({.buffer = buffer.at("type").get<std::string>().at(0), .gpu = owner});
    }
    for (const json& block : element.at("threadblocks")) read_block(block, gpu);
    if (gpu.blocks.empty() || gpu.blocks.size() > 108) refuse("no block, or more than run at a time");
  }

  void read_block(const json& element, MscclppGpu& gpu) const {
    number(element, "id", static_cast<std::int64_t>(gpu.blocks.size()),
           static_cast<std::int64_t>(gpu.blocks.size()));
    BlockNames names;
    for (const json& channel : element.at("channels")) {
      if (channel.at("channel_type") != "memory") refuse("a channel that is not of memory");
      names.channels = numbers(channel.at("channel_ids"), most_channels, gpu.peers.size());
    }
    for (const json& buffer : element.at("remote_buffer_refs")) {
      if (buffer.at("access_channel_type") != "memory") refuse("a channel that is not of memory");
      names.buffers = numbers(buffer.at("remote_buffer_ids"), most_channels, remote_.size());
    }
    std::vector<MscclppOperation> block;
    for (const json& operation : element.at("ops")) block.push_back(read_operation(operation, names, gpu));
    if (block.empty() || block.size() > most_operations)
      refuse("no operation, or more than the executor takes");
    gpu.blocks.push_back(block);
  }

  MscclppOperation read_operation(const json& element, const BlockNames& names, const MscclppGpu& gpu) const {
    MscclppOperation operation{.name = element.at("name").get<std::string>()};
    if (operation.name == "barrier") {
      operation.barrier = number(element, "barrier_id", 0, most_syncers - 1);
      operation.barrier_blocks = number(element, "num_threadblocks", 2, 108);
    } else if (operation.name == "signal" || operation.name == "wait") {
      if (element.at("channel_type") != "memory") refuse("a channel that is not of memory");
      for (const std::int64_t id :
           numbers(element.at("channel_ids"), most_operation_channels, names.channels.size()))
        operation.channels.push_back(names.channels[static_cast<std::size_t>(id)]);
      if (std::set(operation.channels.begin(), operation.channels.end()).size() != operation.channels.size())
        refuse("a channel twice");
    } else if (operation.name == "put" || operation.name == "copy" || operation.name == "re") {
      read_chunks(element, names, gpu, operation);
    } else if (operation.name == "sem_acquire" || operation.name == "sem_release") {
      operation.semaphores =
          numbers(element.at("semaphore_ids"), most_operation_semaphores, gpu.semaphores.size());
    } else if (operation.name != "nop") {
      refuse("an operation " + operation.name);
    }
    return operation;
  }

  void read_chunks(const json& element, const BlockNames& names, const MscclppGpu& gpu,
                   MscclppOperation& operation) const {
    for (const json& chunks : element.at("src_buff")) operation.from.push_back(read_local(chunks, gpu));
    for (const json& chunks : element.at("dst_buff"))
      operation.to.push_back(operation.name == "put" ? read_remote(chunks, names) : read_local(chunks, gpu));
    const std::size_t count = operation.from.size();
    if (count > most_operation_buffers || operation.to.empty()) refuse("the number of chunks");
    if (operation.name == "put") {
      // The kernel finds all chunks in the buffer of the first.
      for (const MscclppChunks& chunks : operation.from) {
        if (chunks.buffer != operation.from.front().buffer) refuse("a put of several buffers");
      }
      if (element.at("channel_type") != "memory" || operation.to.size() != count) refuse("a put");
      for (std::size_t k = 0; k < count; ++k) {
        if (operation.from[k].size != operation.to[k].size) refuse("sizes that differ");
      }
      return;
    }
    if (operation.to.size() != 1 || (operation.name == "copy") != (count == 1))
      refuse("the number of operands");
    if (operation.name == "re" && element.at("reduce_op") != "sum") refuse("another reduction");
    for (const MscclppChunks& chunks : operation.from) {
      if (chunks.size != operation.to.front().size) refuse("sizes that differ");
    }
  }

  static MscclppChunks in_buffer(MscclppChunks chunks, const MscclppGpu& gpu) {
    const std::int64_t size = chunks.buffer == 'i'   ? gpu.input
                              : chunks.buffer == 'o' ? gpu.output
                              : chunks.buffer == 's' ? gpu.scratch
                                                     : -1;
    if (chunks.index + chunks.size > size) refuse("chunks outside of their buffer");
    return chunks;
  }
  static MscclppChunks read_local(const json& element, const MscclppGpu& gpu) {
    return in_buffer({.buffer = element.at("type").get<std::string>().at(0),
                      .index = number(element, "index", 0, large),
                      .size = number(element, "size", 1, large)},
                     gpu);
  }
  MscclppChunks read_remote(const json& element, const BlockNames& names) const {
    const std::int64_t id =
        number(element, "buffer_id", 0, static_cast<std::int64_t>(names.buffers.size()) - 1);
    MscclppChunks chunks = remote_[static_cast<std::size_t>(names.buffers[static_cast<std::size_t>(id)])];
    chunks.index = number(element, "index", 0, large);
    chunks.size = number(element, "size", 1, large);
    return in_buffer(chunks, file_.gpus[static_cast<std::size_t>(chunks.gpu)]);
  }

  // Chunks of input and output have one size, the same on all GPUs.
  void check_sizes() const {
    const auto gpus = static_cast<std::int64_t>(file_.gpus.size());
    const bool gathers = file_.collective == "allgather", scatters = file_.collective == "reducescatter";
    for (const MscclppGpu& gpu : file_.gpus) {
      if (gpu.input != file_.gpus.front().input || gpu.output != file_.gpus.front().output ||
          gpu.input * (gathers ? gpus : 1) != gpu.output * (scatters ? gpus : 1))
        refuse("chunks that do not fit the collective");
    }
  }

  // All who meet at a barrier wait for as many.
  void check_barriers() const {
    for (const MscclppGpu& gpu : file_.gpus) {
      std::map<std::int64_t, std::int64_t> met;
      for (const auto& block : gpu.blocks) {
        for (const MscclppOperation& operation : block) {
          if (operation.barrier < 0) continue;
          const auto [entry, is_new] = met.emplace(operation.barrier, operation.barrier_blocks);
          if (!is_new && entry->second != operation.barrier_blocks) refuse("a barrier of two sizes");
        }
      }
    }
  }

  // As many channels from u to v as from v to u.
  void check_channels() const {
    std::map<std::pair<std::int64_t, std::int64_t>, int> ends;
    for (std::size_t id = 0; id < file_.gpus.size(); ++id) {
      for (const std::int64_t peer : file_.gpus[id].peers) {
        if (peer == static_cast<std::int64_t>(id)) refuse("a GPU that is its own peer");
        ++ends[{id, peer}];
        --ends[{peer, id}];
      }
    }
    for (const auto& [pair, count] : ends) {
      if (count != 0) refuse("a channel with one end");
    }
  }

  json root_;
  MscclppFile file_;
  mutable std::vector<MscclppChunks> remote_;  // of the GPU that is read
};

// ---- the machine

class Memory {
 public:
  Memory(const MscclppFile& file, const MscclppGpu& gpu, Node node, std::uint64_t own_chunks, bool in_place)
      : output_(gpu.input), scratch_(gpu.input + gpu.output) {
    chunks_.assign(static_cast<std::size_t>(scratch_ + gpu.scratch), 0);
    if (in_place && file.collective == "allgather")
      input_ = output_ + node * gpu.input;
    else if (in_place)
      output_ = file.collective == "reducescatter" ? node * gpu.output : 0;
    for (std::uint64_t chunk = 0; chunk < own_chunks; ++chunk)
      at({'i', -1, static_cast<std::int64_t>(chunk), 1}, 0) = input_chunk(node, chunk);
  }

  std::uint64_t& at(const MscclppChunks& chunks, std::int64_t k) {
    const std::int64_t first = chunks.buffer == 'i' ? input_ : chunks.buffer == 'o' ? output_ : scratch_;
    return chunks_.at(static_cast<std::size_t>(first + chunks.index + k));
  }

 private:
  std::int64_t input_ = 0, output_, scratch_;
  std::vector<std::uint64_t> chunks_;
};

// A signal, a wait, or one chunk of an operation.
struct Action {
  const MscclppOperation* operation = nullptr;
  std::size_t element = 0;  // the channel, semaphore, or pair of chunks
  std::int64_t chunk = 0;
};

class Block {
 public:
  Block(std::size_t gpu, const std::vector<MscclppOperation>& operations)
      : gpu_(gpu), operations_(operations) {
    fill();
  }

  std::size_t gpu() const { return gpu_; }
  bool at_end() const { return next_ == operations_.size() && open() == 0; }
  // What may happen next: the first of every thread, and any chunk.
  std::size_t open() const {
    return chunks_.size() + static_cast<std::size_t>(std::ranges::count_if(
                                threads_, [](const auto& thread) { return !thread.empty(); }));
  }
  Action& action(std::size_t k) {
    if (k < chunks_.size()) return chunks_[k];
    k -= chunks_.size();
    for (auto& thread : threads_) {
      if (!thread.empty() && k-- == 0) return thread.front();
    }
    refuse("no such action");
  }
  void finish(std::size_t k) {
    if (k < chunks_.size()) {
      std::swap(chunks_[k], chunks_.back());
      chunks_.pop_back();
      return;
    }
    k -= chunks_.size();
    for (auto& thread : threads_) {
      if (!thread.empty() && k-- == 0) return thread.pop_front();
    }
  }
  // The nop or barrier that all threads have come to, or nothing.
  const MscclppOperation* meeting() const {
    return open() == 0 && next_ < operations_.size() ? &operations_[next_] : nullptr;
  }
  void pass() {
    ++next_;
    fill();
  }

 private:
  // All operations up to the next nop or barrier.
  void fill() {
    for (; next_ < operations_.size(); ++next_) {
      const MscclppOperation& operation = operations_[next_];
      if (operation.name == "nop" || operation.name == "barrier") return;
      const std::size_t threads = std::max(operation.channels.size(), operation.semaphores.size());
      for (std::size_t k = 0; k < threads; ++k) threads_[k].push_back({&operation, k, 0});
      for (std::size_t k = 0; k < operation.to.size(); ++k) {
        for (std::int64_t chunk = 0; chunk < operation.to[k].size; ++chunk)
          chunks_.push_back({&operation, k, chunk});
      }
    }
  }

  std::size_t gpu_;
  const std::vector<MscclppOperation>& operations_;
  std::size_t next_ = 0;
  std::vector<Action> chunks_;
  std::array<std::deque<Action>, 16> threads_;
};

class Machine {
 public:
  Machine(const MscclppFile& file, const Plan& plan, bool in_place, unsigned seed) : random_(seed) {
    for (std::size_t g = 0; g < file.gpus.size(); ++g) {
      const MscclppGpu& gpu = file.gpus[g];
      const auto node = static_cast<Node>(g);
      memory_.emplace_back(file, gpu, node, input_chunks(plan, node), in_place);
      semaphores_.push_back(gpu.semaphores);
      signals_.emplace_back(gpu.peers.size(), 0);
      waits_.emplace_back(gpu.peers.size(), 0);
      for (const auto& block : gpu.blocks) blocks_.emplace_back(g, block);
      std::map<std::int64_t, std::int64_t> places;
      for (std::size_t c = 0; c < gpu.peers.size(); ++c)
        ends_.insert({{static_cast<std::int64_t>(g), gpu.peers[c], places[gpu.peers[c]]++}, c});
    }
    for (std::size_t g = 0; g < file.gpus.size(); ++g) connect(file.gpus[g], static_cast<std::int64_t>(g));
  }

  std::string run() {
    std::vector<Block*> running;
    for (Block& block : blocks_) running.push_back(&block);
    while (!running.empty()) {
      std::size_t k = random_() % running.size();
      std::size_t tried = 0;
      while (tried < running.size() && !advance(*running[k])) k = (k + 1) % running.size(), ++tried;
      if (tried == running.size()) return "a standstill";
      std::erase_if(running, [](const Block* block) { return block->at_end(); });
    }
    return is_clean() ? "" : "signals, semaphores or barriers that are left over";
  }

  Memory& memory(std::size_t gpu) { return memory_[gpu]; }

 private:
  using Counts = std::vector<std::int64_t>;

  // The k-th channel from u to v ends at the k-th from v to u.
  void connect(const MscclppGpu& gpu, std::int64_t id) {
    std::map<std::int64_t, std::int64_t> places;
    Counts& far = far_ends_.emplace_back();
    for (const std::int64_t peer : gpu.peers)
      far.push_back(static_cast<std::int64_t>(ends_.at({peer, id, places[peer]++})));
    peers_.push_back(gpu.peers);
  }

  bool is_clean() const {
    return signals_ == waits_ && arrived_.empty() &&
           std::ranges::all_of(semaphores_, [](const Counts& counts) {
             return std::ranges::all_of(counts, [](std::int64_t count) { return count == 0; });
           });
  }

  bool advance(Block& block) {
    if (const MscclppOperation* meeting = block.meeting()) return meet(block, *meeting);
    const std::size_t count = block.open(), first = random_() % count;
    for (std::size_t k = 0; k < count; ++k) {
      if (!act(block.gpu(), block.action((first + k) % count))) continue;
      block.finish((first + k) % count);
      return true;
    }
    return false;
  }

  bool meet(Block& block, const MscclppOperation& operation) {
    if (operation.name == "nop") return block.pass(), true;
    std::vector<Block*>& arrived = arrived_[{block.gpu(), operation.barrier}];
    if (std::ranges::find(arrived, &block) != arrived.end()) return false;
    arrived.push_back(&block);
    if (static_cast<std::int64_t>(arrived.size()) < operation.barrier_blocks) return true;
    const std::vector<Block*> all = std::move(arrived);
    arrived_.erase({block.gpu(), operation.barrier});
    for (Block* other : all) other->pass();
    return true;
  }

  bool act(std::size_t gpu, const Action& action) {
    const MscclppOperation& operation = *action.operation;
    if (operation.name == "signal") {
      const auto channel = static_cast<std::size_t>(operation.channels[action.element]);
      const auto peer = static_cast<std::size_t>(peers_[gpu][channel]);
      ++signals_[peer][static_cast<std::size_t>(far_ends_[gpu][channel])];
    } else if (operation.name == "wait") {
      const auto channel = static_cast<std::size_t>(operation.channels[action.element]);
      if (waits_[gpu][channel] == signals_[gpu][channel]) return false;
      ++waits_[gpu][channel];
    } else if (operation.name == "sem_acquire" || operation.name == "sem_release") {
      std::int64_t& count = semaphores_[gpu][static_cast<std::size_t>(operation.semaphores[action.element])];
      if (operation.name == "sem_release") return ++count, true;
      if (count == 0) return false;
      --count;
    } else if (operation.name == "put") {
      const MscclppChunks& to = operation.to[action.element];
      memory_[static_cast<std::size_t>(to.gpu)].at(to, action.chunk) =
          memory_[gpu].at(operation.from[action.element], action.chunk);
    } else {  // copy, re
      std::uint64_t sum = 0;
      for (const MscclppChunks& from : operation.from) sum += memory_[gpu].at(from, action.chunk);
      memory_[gpu].at(operation.to.front(), action.chunk) = sum;
    }
    return true;
  }

  std::mt19937 random_;
  std::vector<Memory> memory_;
  std::vector<Counts> semaphores_, signals_, waits_, far_ends_, peers_;  // by GPU and channel or semaphore
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> ends_;
  std::map<std::pair<std::size_t, std::int64_t>, std::vector<Block*>> arrived_;  // at barriers
  std::deque<Block> blocks_;
};

}  // namespace

MscclppFile read_mscclpp(const std::string& text) {
  return Loader(text).run();
}

std::string run(const MscclppFile& file, const Plan& plan, bool in_place, unsigned seed) {
  Machine machine(file, plan, in_place, seed);
  if (std::string error = machine.run(); !error.empty()) return error;
  for (Node node = 0; node < plan.network.order(); ++node) {
    const std::vector<std::uint64_t> wanted = wanted_output(plan, node);
    for (std::size_t chunk = 0; chunk < wanted.size(); ++chunk) {
      const MscclppChunks place{.buffer = 'o', .index = static_cast<std::int64_t>(chunk), .size = 1};
      if (machine.memory(node).at(place, 0) != wanted[chunk])
        return fmt::format("GPU {} ends with another chunk {}", node, chunk);
    }
  }
  return "";
}

}  // namespace isotrope::exports
