// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/exports/msccl_file.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include "tests/exports/chunk_results.hpp"

namespace isotrope::exports {
namespace {

using network::Node;
using schedule::Plan;

[[noreturn]] void refuse(const std::string& what) {
  throw std::runtime_error("msccl: " + what);
}

// ---- XML: elements with attributes and no text.

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::vector<Element> children;

  const std::string& text(const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    if (found == attributes.end()) refuse(name + " without " + attribute);
    return found->second;
  }
  std::int64_t number(const std::string& attribute, std::int64_t least, std::int64_t most) const {
    const std::int64_t value = std::stoll(text(attribute));
    if (value < least || value > most) refuse(fmt::format("{} {} = {}", name, attribute, value));
    return value;
  }
};

class Xml {
 public:
  explicit Xml(const std::string& text) : text_(text) {}

  Element run() {
    Element root = element();
    skip_blanks();
    if (at_ != text_.size()) refuse("something after the algorithm");
    return root;
  }

 private:
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \n", at_), text_.size()); }
  void expect(const std::string& wanted) {
    if (text_.compare(at_, wanted.size(), wanted) != 0) refuse(wanted + " is missing");
    at_ += wanted.size();
  }
  std::string until(const char* ends) {
    const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
    const std::string word = text_.substr(at_, end - at_);
    at_ = end;
    return word;
  }
  bool next_is(const std::string& what) { return skip_blanks(), text_.compare(at_, what.size(), what) == 0; }

  Element element() {
    skip_blanks();
    expect("<");
    Element result{until(" />"), {}, {}};
    while (!next_is(">") && !next_is("/>")) {
      const std::string name = until("=");
      expect("=\"");
      if (!result.attributes.emplace(name, until("\"")).second) refuse(name + " twice");
      expect("\"");
    }
    if (next_is("/>")) {
      expect("/>");
      return result;
    }
    expect(">");
    while (!next_is("</")) result.children.push_back(element());
    expect("</" + result.name + ">");
    return result;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

// ---- the loader

constexpr std::int64_t large = std::int64_t{1} << 40;

MscclStep read_step(const Element& element, std::size_t number) {
  static const std::set<std::string> types = {"s", "r", "rrc", "cpy", "nop"};
  if (element.number("s", 0, 255) != static_cast<std::int64_t>(number)) refuse("a step out of order");
  MscclStep step{.type = element.text("type")};
  if (!types.contains(step.type)) refuse("a step of type " + step.type);
  step.from_buffer = element.text("srcbuf").at(0);
  step.to_buffer = element.text("dstbuf").at(0);
  step.from = element.number("srcoff", -1, large);
  step.to = element.number("dstoff", -1, large);
  step.count = element.number("cnt", step.type == "nop" ? 0 : 1, 71);
  step.awaited_block = element.number("depid", -1, 126);
  step.awaited_step = element.number("deps", -1, 255);
  step.is_awaited = element.number("hasdep", 0, 1) == 1;
  return step;
}

class Loader {
 public:
  explicit Loader(const std::string& text) : root_(Xml(text).run()) {}

  MscclFile run() {
    file_.collective = root_.text("coll");
    file_.channels = root_.number("nchannels", 1, 32);
    file_.chunks_per_loop = root_.number("nchunksperloop", 1, large);
    file_.in_place = root_.number("inplace", 0, 1) == 1;
    if (root_.number("outofplace", 1, 1) != 1 ||
        root_.number("minBytes", 0, 0) > root_.number("maxBytes", 1, large) ||
        root_.text("proto") != "Simple" || root_.text("name").empty())
      refuse("the head");
    ngpus_ = root_.number("ngpus", 2, large);
    for (const Element& gpu : root_.children) read_gpu(gpu);
    if (static_cast<std::int64_t>(file_.gpus.size()) != ngpus_) refuse("another number of GPUs");
    check_pairs();
    return file_;
  }

 private:
  void read_gpu(const Element& element) {
    if (element.name != "gpu" ||
        element.number("id", 0, large) != static_cast<std::int64_t>(file_.gpus.size()))
      refuse("a GPU out of order");
    MscclGpu gpu{element.number("i_chunks", 0, large),
                 element.number("o_chunks", 0, large),
                 element.number("s_chunks", 0, large),
                 {}};
    const std::int64_t inputs = file_.collective == "allgather" ? ngpus_ : 1;
    const std::int64_t outputs = file_.collective == "reduce_scatter" ? ngpus_ : 1;
    if ((gpu.input > 0 && gpu.input * inputs != file_.chunks_per_loop) ||
        (gpu.output > 0 && gpu.output * outputs != file_.chunks_per_loop))
      refuse("chunks that do not fit nchunksperloop");
    for (const Element& block : element.children) read_block(block, gpu);
    if (gpu.blocks.size() > 108) refuse("too many blocks");
    check_blocks(gpu);
    file_.gpus.push_back(gpu);
  }

  void read_block(const Element& element, MscclGpu& gpu) const {
    if (element.name != "tb" ||
        element.number("id", 0, large) != static_cast<std::int64_t>(gpu.blocks.size()))
      refuse("a block out of order");
    MscclBlock block{element.number("send", -1, ngpus_ - 1),
                     element.number("recv", -1, ngpus_ - 1),
                     element.number("chan", 0, file_.channels - 1),
                     {}};
    if (element.children.empty()) refuse("an empty block");
    bool waits = false;  // nops that wait before the next step
    for (const Element& child : element.children) {
      const MscclStep step = read_step(child, block.steps.size());
      if (waits && step.awaited_block < 0) refuse("nops before a step that does not wait");
      waits = step.type == "nop";
      if (waits && (step.awaited_block < 0 || step.is_awaited)) refuse("a nop without purpose");
      check_ends(step, block, gpu);
      block.steps.push_back(step);
    }
    if (waits) refuse("a nop at the end");
    gpu.blocks.push_back(block);
  }

  static void check_ends(const MscclStep& step, const MscclBlock& block, const MscclGpu& gpu) {
    const auto check = [&](char buffer, std::int64_t first) {
      const std::int64_t size = buffer == 'i'   ? gpu.input
                                : buffer == 'o' ? gpu.output
                                : buffer == 's' ? gpu.scratch
                                                : -1;
      if (first < 0 || first + step.count > size) refuse("a step outside its buffer");
    };
    if ((step.type == "s") != (block.send >= 0) && step.type != "nop")
      refuse("a step in a block of another kind");
    if ((step.type == "r" || step.type == "rrc") != (block.receive >= 0) && step.type != "nop")
      refuse("a step in a block of another kind");
    if (step.type == "s" || step.type == "rrc" || step.type == "cpy") check(step.from_buffer, step.from);
    if (step.type == "r" || step.type == "rrc" || step.type == "cpy") check(step.to_buffer, step.to);
  }

  void check_blocks(const MscclGpu& gpu) const {
    std::set<std::tuple<std::int64_t, std::int64_t, std::int64_t>> connections;
    std::map<std::int64_t, int> in_channel;
    std::set<std::pair<std::int64_t, std::int64_t>> awaited;
    for (const MscclBlock& block : gpu.blocks) {
      if (!connections.insert({block.send, block.receive, block.channel}).second)
        refuse("a connection twice");
      if (++in_channel[block.channel] > 32) refuse("too many blocks in a channel");
      for (const MscclStep& step : block.steps) {
        if (step.awaited_block >= 0) awaited.insert({step.awaited_block, step.awaited_step});
      }
    }
    for (std::size_t b = 0; b < gpu.blocks.size(); ++b) {
      for (std::size_t s = 0; s < gpu.blocks[b].steps.size(); ++s) {
        if (gpu.blocks[b].steps[s].is_awaited != (awaited.erase({b, s}) > 0)) refuse("a false hasdep");
      }
    }
    if (!awaited.empty()) refuse("waiting for a step that is not there");
  }

  // Every connection has two ends, with as many steps of the same sizes.
  void check_pairs() const {
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::vector<std::int64_t>> sent, received;
    for (std::size_t g = 0; g < file_.gpus.size(); ++g) {
      const auto id = static_cast<std::int64_t>(g);
      for (const MscclBlock& block : file_.gpus[g].blocks) {
        if (block.send == id || block.receive == id) refuse("a GPU that sends to itself");
        for (const MscclStep& step : block.steps) {
          if (step.type == "nop") continue;
          if (block.send >= 0) sent[{id, block.send, block.channel}].push_back(step.count);
          if (block.receive >= 0) received[{block.receive, id, block.channel}].push_back(step.count);
        }
      }
    }
    if (sent != received) refuse("ends of connections that do not match");
  }

  Element root_;
  MscclFile file_;
  std::int64_t ngpus_ = 0;
};

// ---- the machine

// The chunks of one GPU, where input and output may be one.
class Memory {
 public:
  Memory(const MscclFile& file, const MscclGpu& gpu, Node node, bool in_place)
      : output_(gpu.input),
        scratch_(gpu.input + gpu.output),
        chunks_(static_cast<std::size_t>(scratch_ + gpu.scratch), 0) {
    if (in_place && file.collective == "allgather")
      input_ = output_ + node * gpu.input;
    else if (in_place && gpu.input > 0)
      output_ = file.collective == "reduce_scatter" ? node * gpu.output : 0;
    for (std::int64_t chunk = 0; chunk < gpu.input; ++chunk)
      at('i', chunk) = input_chunk(node, static_cast<std::uint64_t>(chunk));
  }

  std::uint64_t& at(char buffer, std::int64_t chunk) {
    return chunks_.at(static_cast<std::size_t>((buffer == 'i'   ? input_
                                                : buffer == 'o' ? output_
                                                                : scratch_) +
                                               chunk));
  }

 private:
  std::int64_t input_ = 0, output_, scratch_;
  std::vector<std::uint64_t> chunks_;
};

class Machine {
 public:
  Machine(const MscclFile& file, const MscclRun& how) : file_(file), how_(how), random_(how.seed) {
    for (std::size_t g = 0; g < file.gpus.size(); ++g) {
      memory_.emplace_back(file, file.gpus[g], static_cast<Node>(g), how.in_place);
      done_.emplace_back(file.gpus[g].blocks.size(), 0);
      for (std::size_t b = 0; b < file.gpus[g].blocks.size(); ++b) {
        const MscclBlock& block = file.gpus[g].blocks[b];
        running_.push_back({g, b});
        if (block.receive >= 0) receiver_[{block.receive, g, block.channel}] = {g, b};
      }
    }
  }

  std::string run() {
    while (!running_.empty()) {
      std::shuffle(running_.begin(), running_.end(), random_);
      // One step, so that the next is chosen among all again.
      const auto next = std::ranges::find_if(running_, [this](const Name& name) { return advance(name); });
      if (next == running_.end()) return "a standstill";
      if (at_end(*next)) running_.erase(next);
      std::erase_if(running_, [this](const Name& name) { return at_end(name); });
    }
    return "";
  }

  Memory& memory(std::size_t gpu) { return memory_[gpu]; }

 private:
  struct Name {
    std::size_t gpu, block;
  };
  using Values = std::vector<std::uint64_t>;
  using Connection = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  const MscclBlock& block(const Name& name) const { return file_.gpus[name.gpu].blocks[name.block]; }
  std::size_t& done(const Name& name) { return done_[name.gpu][name.block]; }
  bool at_end(const Name& name) { return done(name) == block(name).steps.size(); }

  // Whether what the next step waits for is over.
  bool is_free(const Name& name) {
    const MscclStep& step = block(name).steps[done(name)];
    return step.awaited_block < 0 || done_[name.gpu][static_cast<std::size_t>(step.awaited_block)] >
                                         static_cast<std::size_t>(step.awaited_step);
  }

  bool advance(const Name& name) {
    if (!is_free(name)) return false;
    const MscclStep& step = block(name).steps[done(name)];
    const Connection sent{static_cast<std::int64_t>(name.gpu), block(name).send, block(name).channel};
    const Connection received{block(name).receive, static_cast<std::int64_t>(name.gpu), block(name).channel};
    if (step.type == "s" && how_.buffered == 0) return meet(name, receiver_.at(sent));
    if (step.type == "s") {
      if (wires_[sent].size() == how_.buffered) return false;
      wires_[sent].push_back(read(name, step));
    } else if (step.type == "r" || step.type == "rrc") {
      if (wires_[received].empty()) return false;
      put(name, step, wires_[received].front());
      wires_[received].pop_front();
    } else if (step.type == "cpy") {
      const Values values = read(name, step);
      for (std::int64_t k = 0; k < step.count; ++k)
        memory_[name.gpu].at(step.to_buffer, step.to + k) = values[static_cast<std::size_t>(k)];
    }
    ++done(name);
    return true;
  }

  // Without buffers a send is over when it is received.
  bool meet(const Name& sender, const Name& receiver) {
    if (at_end(receiver) || !is_free(receiver)) return false;
    const MscclStep& receipt = block(receiver).steps[done(receiver)];
    if (receipt.type == "nop") return false;
    put(receiver, receipt, read(sender, block(sender).steps[done(sender)]));
    ++done(sender);
    ++done(receiver);
    return true;
  }

  Values read(const Name& name, const MscclStep& step) {
    Values values;
    for (std::int64_t k = 0; k < step.count; ++k)
      values.push_back(memory_[name.gpu].at(step.from_buffer, step.from + k));
    return values;
  }

  void put(const Name& name, const MscclStep& step, const Values& values) {
    Memory& memory = memory_[name.gpu];
    for (std::int64_t k = 0; k < step.count; ++k) {
      std::uint64_t value = values.at(static_cast<std::size_t>(k));
      if (step.type == "rrc") value += memory.at(step.from_buffer, step.from + k);
      memory.at(step.to_buffer, step.to + k) = value;
    }
  }

  const MscclFile& file_;
  MscclRun how_;
  std::mt19937 random_;
  std::vector<Memory> memory_;
  std::vector<std::vector<std::size_t>> done_;  // steps, by GPU and block
  std::vector<Name> running_;
  std::map<Connection, Name> receiver_;
  std::map<Connection, std::deque<Values>> wires_;
};

}  // namespace

MscclFile read_msccl(const std::string& text) {
  return Loader(text).run();
}

std::string run(const MscclFile& file, const Plan& plan, const MscclRun& how) {
  Machine machine(file, how);
  if (std::string error = machine.run(); !error.empty()) return error;
  for (Node node = 0; node < plan.network.order(); ++node) {
    const std::vector<std::uint64_t> wanted = wanted_output(plan, node);
    for (std::size_t chunk = 0; chunk < wanted.size(); ++chunk) {
      if (machine.memory(node).at('o', static_cast<std::int64_t>(chunk)) != wanted[chunk])
        return fmt::format("GPU {} ends with another chunk {}", node, chunk);
    }
  }
  return "";
}

}  // namespace isotrope::exports
