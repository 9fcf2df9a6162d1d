// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include "isotrope/io/network_file.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "isotrope/base/error.hpp"
#include "isotrope/base/spelling.hpp"

#include "isotrope/network/edge_list.hpp"
#include "isotrope/network/rates.hpp"

#include "isotrope/io/text_file.hpp"

namespace isotrope::io {
namespace {

using GraphJson = nlohmann::json;
using network::Edge;
using network::Node;

constexpr std::string_view network_format = "isotrope-network/1";
constexpr std::size_t most_classes =
    63;  // with the class of the other links, as many as the cost model tells apart
constexpr std::array<std::string_view, 9> network_keys{"format",   "name",       "nodes", "links",  "edges",
                                                       "directed", "multigraph", "graph", "classes"};

std::string in_text(const GraphJson& value) {
  return value.dump(-1, ' ', false, GraphJson::error_handler_t::replace);
}

struct ListedNode {
  std::string name;
  std::optional<std::array<double, 3>> at;
  std::uint64_t line = 0;
};

struct ListedLink {
  std::string source, target;
  std::uint64_t line = 0;
  std::uint32_t rate = 1;
  std::string link_class;  // which has the rate, if not empty
};

// The file and the line that an error is about.
class Place {
 public:
  explicit Place(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void refuse(std::string_view what) const { throw Error(fmt::format("{}: {}", file_, what)); }
  [[noreturn]] void refuse(std::uint64_t line, std::string_view what) const {
    throw Error(fmt::format("{}:{}: {}", file_, line, what));
  }

 private:
  std::string file_;
};

struct GraphDocument {
  std::vector<ListedNode> nodes;
  std::vector<ListedLink> links;
  std::map<std::string, FileLinkClass> classes;
  bool directed = false;
  bool multigraph = false;
};

std::array<double, 3> coordinates_of(const GraphJson& at, std::uint64_t line, const Place& place) {
  const auto is_number = [](const GraphJson& value) { return value.is_number(); };
  if (!at.is_array() || at.size() < 2 || at.size() > 3 || !std::all_of(at.begin(), at.end(), is_number))
    place.refuse(line, fmt::format("coordinates {}: give two or three numbers", excerpt(in_text(at))));
  return {at[0].get<double>(), at[1].get<double>(), at.size() > 2 ? at[2].get<double>() : 0};
}

ListedNode node_of(const GraphJson& value, std::uint64_t line, const Place& place) {
  if (!value.is_object()) return {in_text(value), {}, line};
  const auto id = value.find("id"), at = value.find("pos");
  if (id == value.end())
    place.refuse(line, fmt::format("node {} has no \"id\": give it one", excerpt(in_text(value))));
  ListedNode node{in_text(*id), {}, line};
  if (at != value.end()) node.at = coordinates_of(*at, line, place);
  return node;
}

std::uint32_t rate_of(const GraphJson& value, std::uint64_t line, const Place& place) {
  if (value.is_number_unsigned() && value >= 1 && value <= network::largest_rate)
    return value.get<std::uint32_t>();
  place.refuse(line, fmt::format("rate {}: rates are whole multiples, 1 to {}, of that of the slowest link; "
                                 "multiply all rates",
                                 excerpt(in_text(value)), network::largest_rate));
}

void set_rate(const GraphJson& value, const Place& place, ListedLink& link) {
  if (value.is_string()) {
    link.link_class = value.get<std::string>();
  } else {
    link.rate = rate_of(value, link.line, place);
  }
}

ListedLink link_of(const GraphJson& value, std::uint64_t line, const Place& place) {
  if (value.is_array() && (value.size() == 2 || value.size() == 3)) {
    ListedLink link{in_text(value[0]), in_text(value[1]), line, 1, {}};
    if (value.size() == 3) set_rate(value[2], place, link);
    return link;
  }
  if (value.is_object() && value.contains("source") && value.contains("target")) {
    ListedLink link{in_text(value["source"]), in_text(value["target"]), line, 1, {}};
    for (const char* key : {"rate", "class"}) {
      if (value.contains(key)) set_rate(value[key], place, link);
    }
    return link;
  }
  place.refuse(line,
               fmt::format("link {}: give [NODE, NODE], [NODE, NODE, RATE], or an object with \"source\" and "
                           "\"target\"",
                           excerpt(in_text(value))));
}

// Takes the parts of a document as the JSON library reports them.
class GraphReader {
 public:
  GraphReader(const std::string& text, const Place& place) : text_(text), place_(place), in_(text) {}

  GraphDocument read() && {
    try {
      const GraphJson rest = GraphJson::parse(
          in_, [this](int, Event event, const GraphJson& parsed) { return keep(event, parsed); });
      if (!rest.is_object()) place_.refuse("not a network: give one JSON object");
      read_members(rest);
    } catch (const GraphJson::exception& error) {
      const std::string_view what = error.what();
      place_.refuse(fmt::format("not JSON: {}", what.substr(std::min(what.size(), what.find("] ") + 2))));
    }
    return std::move(document_);
  }

 private:
  using Event = GraphJson::parse_event_t;

  // Nodes and links are taken, and not kept by the library.
  bool keep(Event event, const GraphJson& parsed) {
    const bool begins = event == Event::object_start || event == Event::array_start;
    const bool ends = event == Event::object_end || event == Event::array_end;
    if (event == Event::key && depth_ == 1) begin_member(parsed.get<std::string>());
    if (begins && depth_ == 1) is_list_ = event == Event::array_start && is_list_key(key_);
    const bool is_element = is_list_ && depth_ == 2 && (begins || event == Event::value);
    if (is_element) line_ = line();
    if (begins) ++depth_;
    if (ends) --depth_;
    const bool is_complete = is_list_ && depth_ == 2 && (ends || event == Event::value);
    if (is_complete) take(parsed);
    return !is_complete;
  }

  static bool is_list_key(std::string_view key) { return key == "nodes" || key == "links" || key == "edges"; }

  void begin_member(std::string key) {
    if (std::ranges::find(network_keys, key) == network_keys.end())
      place_.refuse(line(), fmt::format("unknown key {}: {}", in_quotes(key), name_hint(key, network_keys)));
    if (!lines_of_keys_.emplace(key, line()).second)
      place_.refuse(line(), fmt::format("{} is given twice; give it once", in_quotes(key)));
    if (lines_of_keys_.contains("links") && lines_of_keys_.contains("edges"))
      place_.refuse(line(), "'links' and 'edges' mean the same: give one of them");
    key_ = std::move(key);
    is_list_ = false;
  }

  // The line of what was read last. Behind a number, one character more has been read.
  std::uint64_t line() {
    const auto position = static_cast<std::size_t>(in_.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in));
    const std::size_t end = std::max<std::size_t>(position, 1) - 1;
    lines_ += static_cast<std::uint64_t>(
        std::ranges::count(std::string_view(text_).substr(counted_, end - counted_), '\n'));
    counted_ = end;
    return lines_ + 1;
  }

  void take(const GraphJson& value) {
    constexpr std::size_t most_links = std::size_t{1} << 22;
    if (key_ == "nodes") {
      document_.nodes.push_back(node_of(value, line_, place_));
    } else {
      document_.links.push_back(link_of(value, line_, place_));
    }
    if (document_.nodes.size() > network::largest_edge_list_order)
      place_.refuse(
          line_, fmt::format("more than {} nodes: give a smaller network", network::largest_edge_list_order));
    if (document_.links.size() > most_links)
      place_.refuse(line_, fmt::format("more than {} links: give a smaller network", most_links));
  }

  void read_members(const GraphJson& rest) {
    if (const auto format = rest.find("format"); format != rest.end() && *format != network_format)
      refuse_member("format", *format, fmt::format("give \"{}\"", network_format));
    if (!rest.contains("nodes")) place_.refuse("no \"nodes\": give their number, or a list of them");
    if (!rest.contains("links") && !rest.contains("edges"))
      place_.refuse("no \"links\": give a list of [NODE, NODE]");
    for (const char* key : {"links", "edges"}) {
      if (rest.contains(key) && !rest[key].is_array())
        refuse_member(key, rest[key], "give a list of [NODE, NODE]");
    }
    if (!rest["nodes"].is_array()) number_nodes(rest["nodes"]);
    document_.directed = flag(rest, "directed");
    document_.multigraph = flag(rest, "multigraph");
    if (rest.contains("classes")) read_classes(rest["classes"]);
  }

  bool flag(const GraphJson& rest, const char* key) const {
    if (!rest.contains(key)) return false;
    if (!rest[key].is_boolean()) refuse_member(key, rest[key], "give true or false");
    return rest[key].get<bool>();
  }

  void read_classes(const GraphJson& classes) {
    constexpr std::string_view remedy =
        "give an object such as {\"fast\": {\"rate\": 2}, \"long\": {\"latency_s\": 5e-6}}";
    if (!classes.is_object()) refuse_member("classes", classes, remedy);
    if (classes.size() > most_classes)
      place_.refuse(lines_of_keys_.at("classes"),
                    fmt::format("{} link classes: give at most {}", classes.size(), most_classes));
    for (const auto& [name, value] : classes.items()) {
      const std::size_t known =
          value.is_object() ? value.count("rate") + value.count("latency_s") + value.count("byte_time_s") : 0;
      if (known == 0 || known < value.size()) refuse_member("classes", classes, remedy);
      document_.classes[name] = class_of(name, value);
    }
  }

  FileLinkClass class_of(const std::string& name, const GraphJson& value) const {
    FileLinkClass result{name};
    if (value.contains("rate")) result.rate = rate_of(value["rate"], lines_of_keys_.at("classes"), place_);
    result.latency_s = seconds_of(name, value, "latency_s", "seconds per message, 0 or more, such as 5e-6");
    result.byte_time_s = seconds_of(name, value, "byte_time_s", "seconds per byte, 0 or more, such as 1e-10");
    return result;
  }

  std::optional<double> seconds_of(const std::string& name, const GraphJson& value, const char* key,
                                   const char* allowed) const {
    if (!value.contains(key)) return std::nullopt;
    const GraphJson& given = value[key];
    const double seconds = given.is_number() ? given.get<double>() : -1;
    if (seconds >= 0) return seconds;
    place_.refuse(lines_of_keys_.at("classes"),
                  fmt::format("{} {} of link class {}: give {}", key, excerpt(in_text(given)),
                              in_quotes(name), allowed));
  }

  void number_nodes(const GraphJson& count) {
    if (!count.is_number_unsigned() || count < 1 || count > network::largest_edge_list_order)
      refuse_member(
          "nodes", count,
          fmt::format("give a number from 1 to {}, or a list of nodes", network::largest_edge_list_order));
    for (Node node = 0; node < count.get<Node>(); ++node)
      document_.nodes.push_back({fmt::format("{}", node), {}, 0});
  }

  [[noreturn]] void refuse_member(const char* key, const GraphJson& value, std::string_view remedy) const {
    place_.refuse(lines_of_keys_.at(key),
                  fmt::format("\"{}\": {}: {}", key, excerpt(in_text(value)), remedy));
  }

  const std::string& text_;
  const Place& place_;
  std::istringstream in_;
  GraphDocument document_;
  std::string key_;  // of the member that is read
  std::map<std::string, std::uint64_t> lines_of_keys_;
  bool is_list_ = false;  // whether the member is a list of nodes or links
  int depth_ = 0;
  std::uint64_t line_ = 1;   // of the node or link that is read
  std::size_t counted_ = 0;  // characters whose lines are counted
  std::uint64_t lines_ = 0;
};

using NodeNumbers = std::unordered_map<std::string, Node>;

NodeNumbers numbers_of(const std::vector<ListedNode>& nodes, const Place& place) {
  NodeNumbers numbers;
  bool by_name = true;
  for (const ListedNode& node : nodes) {
    if (!numbers.emplace(node.name, static_cast<Node>(numbers.size())).second)
      place.refuse(node.line, fmt::format("node {} is given twice; give it once", excerpt(node.name)));
    const auto number = whole_number(node.name);
    by_name = by_name && number && *number < nodes.size();
  }
  if (!by_name) return numbers;
  for (auto& [name, number] : numbers) number = static_cast<Node>(*whole_number(name));
  return numbers;
}

// The links as edges between numbers of nodes, each as often as its rate says, with the times of their classes. Every link
// of a directed graph is given in both directions.
class EdgeReader {
 public:
  EdgeReader(const GraphDocument& document, const NodeNumbers& numbers, const Place& place)
      : document_(document), numbers_(numbers), place_(place), classes_(document.classes) {
    for (const ListedLink& link : document_.links) add(link);
  }

  std::vector<Edge> edges() const {
    std::vector<Edge> result;
    for (const auto& [way, rated] : links_) {
      if (document_.directed) require_way_back(way, rated);
      if (is_taken(way)) result.insert(result.end(), rated.rate, way);
    }
    return result;
  }
  std::vector<network::EdgeTimes> edge_times() const {
    std::vector<network::EdgeTimes> result;
    for (const auto& [way, rated] : links_) {
      if (is_taken(way) && rated.times != OwnTimes())
        result.push_back({way, rated.times.startup_s, rated.times.byte_time_s});
    }
    return result;
  }
  // With the numbers of their links.
  std::vector<FileLinkClass> classes() const {
    std::vector<FileLinkClass> result;
    for (const auto& [name, links] : classes_) result.push_back(links);
    return result;
  }

 private:
  // Of each of the links side by side.
  struct OwnTimes {
    std::optional<double> startup_s = {}, byte_time_s = {};

    bool operator==(const OwnTimes&) const = default;
  };
  struct RatedLink {
    const ListedLink* first;
    std::uint32_t rate;
    OwnTimes times;
  };

  // Of the two directions of a directed graph, one stands for the link.
  bool is_taken(const Edge& way) const { return !document_.directed || way.low < way.high; }

  void add(const ListedLink& link) {
    Edge way{number(link.source, link), number(link.target, link)};
    if (way.low == way.high)
      place_.refuse(link.line,
                    fmt::format("the link from {} leads to itself: leave it out", excerpt(link.source)));
    if (!document_.directed && way.low > way.high) std::swap(way.low, way.high);
    FileLinkClass* const named = class_of(link);
    if (named != nullptr && is_taken(way)) ++named->links;
    const std::uint32_t rate = named != nullptr ? named->rate : link.rate;
    const OwnTimes times = named != nullptr ? times_of(*named) : OwnTimes();
    const auto [known, is_new] = links_.emplace(way, RatedLink{&link, rate, times});
    if (is_new) return;
    if (!document_.multigraph)
      place_.refuse(link.line,
                    fmt::format("the link from {} to {} is given in line {} too: give it once, with its "
                                "rate as a third number",
                                excerpt(link.source), excerpt(link.target), known->second.first->line));
    if (known->second.times != times)
      place_.refuse(link.line,
                    fmt::format("the link from {} to {} has other times than in line {}: links side by "
                                "side have the same; give all of them one class",
                                excerpt(link.source), excerpt(link.target), known->second.first->line));
    known->second.rate += rate;
  }

  // A link of rate r is r links that share its bandwidth.
  static OwnTimes times_of(const FileLinkClass& links) {
    OwnTimes result{links.latency_s, links.byte_time_s};
    if (result.byte_time_s) *result.byte_time_s *= links.rate;
    return result;
  }

  void require_way_back(const Edge& way, const RatedLink& rated) const {
    const auto back = links_.find({way.high, way.low});
    const bool same_rate = back != links_.end() && back->second.rate == rated.rate;
    if (same_rate && back->second.times == rated.times) return;
    const ListedLink& link = *rated.first;
    const std::string ends =
        fmt::format("the link from {} to {}", excerpt(link.source), excerpt(link.target));
    if (back == links_.end())
      place_.refuse(link.line, ends + " leads one way: add the link back, or write \"directed\": false");
    if (same_rate)
      place_.refuse(link.line, ends + " has other times than the link back: give both the same class");
    place_.refuse(link.line, fmt::format("{} has rate {} and the link back {}: give both the same", ends,
                                         rated.rate, back->second.rate));
  }

  // The class that the link names; null if it names none.
  FileLinkClass* class_of(const ListedLink& link) {
    if (link.link_class.empty()) return nullptr;
    if (const auto found = classes_.find(link.link_class); found != classes_.end()) return &found->second;
    place_.refuse(link.line, fmt::format("there is no link class {}: correct it, or add it to \"classes\"",
                                         in_quotes(link.link_class)));
  }

  Node number(const std::string& name, const ListedLink& link) const {
    if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    place_.refuse(
        link.line,
        fmt::format("the link from {} to {}: there is no node {}: correct the link, or add the node",
                    excerpt(link.source), excerpt(link.target), excerpt(name)));
  }

  const GraphDocument& document_;
  const NodeNumbers& numbers_;
  const Place& place_;
  std::map<std::string, FileLinkClass> classes_;
  std::map<Edge, RatedLink> links_;  // by source and target
};

// Reads a document up to the first key that only networks have, or only plans. Both have a format, and edges.
class FirstTellingKey : public GraphJson::json_sax_t {
 public:
  bool tells_network() const { return tells_network_; }

  // The names and results of these functions are the JSON library's; false ends the reading.
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t& value) override {
    if (!in_format_) return true;
    tells_network_ = value.starts_with("isotrope-network/");
    return false;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool key(string_t& name) override {
    in_format_ = depth_ == 1 && name == "format";
    if (depth_ != 1 || in_format_ || name == "edges") return true;
    tells_network_ = std::ranges::find(network_keys, name) != network_keys.end();
    return false;
  }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const GraphJson::exception&) override { return false; }

 private:
  int depth_ = 0;
  bool in_format_ = false, tells_network_ = false;
};

network::NamedNetwork network_of(Node order, std::vector<Edge> edges, const Place& place) {
  try {
    return network::from_edges(order, std::move(edges));
  } catch (const Error& error) {
    place.refuse(error.what());
  }
}

}  // namespace

NetworkFile read_network_file(const std::filesystem::path& file) {
  return parse_network_file(file.string(), read_text(file));
}

NetworkFile parse_network_file(const std::string& name, const std::string& text) {
  const Place place(name);
  const GraphDocument document = GraphReader(text, place).read();
  const NodeNumbers numbers = numbers_of(document.nodes, place);
  const EdgeReader reader(document, numbers, place);
  NetworkFile result{network_of(static_cast<Node>(numbers.size()), reader.edges(), place),
                     std::vector<std::string>(numbers.size()),
                     {},
                     reader.classes()};
  result.named.lacks.edge_times = reader.edge_times();
  const bool placed =
      std::ranges::all_of(document.nodes, [](const ListedNode& node) { return node.at.has_value(); });
  result.coordinates.resize(placed ? numbers.size() : 0);
  for (const ListedNode& node : document.nodes) {
    const Node number = numbers.at(node.name);
    result.names[number] = node.name;
    if (placed) result.coordinates[number] = *node.at;
  }
  return result;
}

bool names_network_file(std::string_view text) {
  return text.ends_with(".json");
}

bool is_network_file(const std::filesystem::path& file) {
  std::error_code unknown;
  if (file.extension() != ".json" || !std::filesystem::is_regular_file(file, unknown)) return false;
  std::ifstream in(file, std::ios::binary);
  FirstTellingKey key;
  GraphJson::sax_parse(in, &key);
  return key.tells_network();
}

network::NamedNetwork named_network(const std::string& name, const ReadFile& read) {
  if (!names_network_file(name)) return network::parse_named(name);
  return parse_network_file(name, read(name)).named;
}

network::NamedNetwork named_network(const std::string& name) {
  return named_network(name, read_text);
}

}  // namespace isotrope::io
