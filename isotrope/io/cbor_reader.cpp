// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <cbor.h>
#include <fmt/format.h>

#include "isotrope/base/utf8.hpp"

#include "isotrope/io/document_reader.hpp"

namespace isotrope::io {
namespace {

// The values that no plan holds, in words; the first kinds of items are these.
constexpr std::array no_plan_value{
    "a negative number", "a floating-point number", "null", "undefined", "a tag", "bytes"};

// An item of the encoding.
struct Item {
  enum class Kind {
    negative,
    real,
    null,
    undefined,
    tag,
    bytes,
    number,
    flag,
    text,
    text_start,
    array,
    map,
    stop
  };

  Kind kind = Kind::stop;
  bool definite = true;     // array, map
  std::uint64_t value = 0;  // number, flag, or the length of a definite array or map
  std::string_view text;    // in the window
};

// The callbacks of the decoder only note the item: no exception may pass through the decoder.

template <Item::Kind kind>
void note(void* item) {
  *static_cast<Item*>(item) = {kind, false, 0, {}};
}

template <Item::Kind kind, class Value>
void note_value(void* item, Value value) {
  *static_cast<Item*>(item) = {kind, true, static_cast<std::uint64_t>(value), {}};
}

template <Item::Kind kind>
void note_text(void* item, cbor_data data, std::size_t length) {
  *static_cast<Item*>(item) = {kind, true, 0, {reinterpret_cast<const char*>(data), length}};
}

template <class Value>
void note_real(void* item, Value) {
  note<Item::Kind::real>(item);
}

constexpr cbor_callbacks callbacks = {
    .uint8 = note_value<Item::Kind::number>,
    .uint16 = note_value<Item::Kind::number>,
    .uint32 = note_value<Item::Kind::number>,
    .uint64 = note_value<Item::Kind::number>,
    .negint64 = note_value<Item::Kind::negative>,
    .negint32 = note_value<Item::Kind::negative>,
    .negint16 = note_value<Item::Kind::negative>,
    .negint8 = note_value<Item::Kind::negative>,
    .byte_string_start = note<Item::Kind::bytes>,
    .byte_string = note_text<Item::Kind::bytes>,
    .string = note_text<Item::Kind::text>,
    .string_start = note<Item::Kind::text_start>,
    .indef_array_start = note<Item::Kind::array>,
    .array_start = note_value<Item::Kind::array>,
    .indef_map_start = note<Item::Kind::map>,
    .map_start = note_value<Item::Kind::map>,
    .tag = note_value<Item::Kind::tag>,
    .float2 = note_real,
    .float4 = note_real,
    .float8 = note_real,
    .undefined = note<Item::Kind::undefined>,
    .null = note<Item::Kind::null>,
    .boolean = note_value<Item::Kind::flag>,
    .indef_break = note<Item::Kind::stop>,
};

// The bytes read so far, from the next item on.
class Window {
 public:
  explicit Window(std::streambuf& bytes) : bytes_(bytes) {}

  const unsigned char* data() const { return buffer_.data() + begin_; }
  std::size_t size() const { return end_ - begin_; }
  /// The place of data() in the file.
  std::uint64_t offset() const { return offset_; }

  void drop(std::size_t count) {
    begin_ += count;
    offset_ += count;
  }

  /// Reads on; false at the end. The buffer grows only when it is full of bytes from the file.
  bool extend() {
    std::memmove(buffer_.data(), data(), size());
    end_ = size();
    begin_ = 0;
    if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
    const std::streamsize count = bytes_.sgetn(reinterpret_cast<char*>(buffer_.data() + end_),
                                               static_cast<std::streamsize>(buffer_.size() - end_));
    end_ += static_cast<std::size_t>(count);
    return count > 0;
  }

 private:
  std::streambuf& bytes_;
  std::vector<unsigned char> buffer_ = std::vector<unsigned char>(std::size_t{1} << 16);
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t offset_ = 0;
};

class Reader {
 public:
  Reader(std::streambuf& bytes, PlanSchema& schema) : window_(bytes), schema_(schema) {}

  void read() {
    do {
      take(next());
      window_.drop(item_size_);
    } while (!open_.empty() || chunks_);
    if (window_.size() > 0 || window_.extend()) refuse("more bytes after the end of the plan");
  }

 private:
  // An array or map being read.
  struct OpenItem {
    bool is_map;
    bool definite;
    std::uint64_t left;  // elements or pairs, if definite
    bool key_next;
  };

  [[noreturn]] void refuse(std::string_view what) const {
    throw SyntaxError(fmt::format("byte {}: {}", window_.offset(), what));
  }

  // The item at the front of the window; its text stays there until it is dropped.
  Item next() {
    for (;;) {
      Item item;
      const cbor_decoder_result result =
          cbor_stream_decode(window_.data(), window_.size(), &callbacks, &item);
      item_size_ = result.read;
      if (result.status == CBOR_DECODER_FINISHED) return item;
      if (result.status == CBOR_DECODER_ERROR) refuse("not CBOR");
      if (!window_.extend())
        refuse(window_.offset() + window_.size() == 0 ? "the file is empty" : "the file ends too early");
    }
  }

  void take(const Item& item) {
    if (chunks_) {
      take_chunk(item);
    } else if (item.kind == Item::Kind::stop) {
      stop();
    } else if (item.kind == Item::Kind::text_start) {
      chunks_.emplace();
    } else if (item.kind == Item::Kind::text) {
      take_text(item.text);
    } else if (!open_.empty() && open_.back().key_next) {
      refuse("a key that is not text");
    } else {
      take_value(item);
    }
  }

  void take_chunk(const Item& item) {
    if (item.kind == Item::Kind::text) {
      chunks_->append(item.text);
    } else if (item.kind == Item::Kind::stop) {
      const std::string text = std::move(*chunks_);
      chunks_.reset();
      take_text(text);
    } else {
      refuse("a piece of a text that is not text");
    }
  }

  void take_text(std::string_view text) {
    if (!is_utf8(text)) refuse("a text that is not UTF-8");
    if (!open_.empty() && open_.back().key_next) {
      schema_.key(text);
      open_.back().key_next = false;
    } else {
      schema_.text(text);
      end_value();
    }
  }

  void take_value(const Item& item) {
    switch (item.kind) {
      case Item::Kind::number:
        schema_.number(item.value);
        return end_value();
      case Item::Kind::flag:
        schema_.flag(item.value != 0);
        return end_value();
      case Item::Kind::array:
        schema_.begin_array();
        return begin_container({false, item.definite, item.value, false});
      case Item::Kind::map:
        schema_.begin_object();
        return begin_container({true, item.definite, item.value, true});
      default:
        schema_.other(no_plan_value.at(static_cast<std::size_t>(item.kind)));
    }
  }

  void begin_container(const OpenItem& container) {
    open_.push_back(container);
    if (container.definite && container.left == 0) end_container();
  }

  void stop() {
    if (open_.empty() || open_.back().definite) refuse("a break where nothing is open");
    if (open_.back().is_map && !open_.back().key_next) refuse("a key without a value");
    end_container();
  }

  void end_container() {
    const bool is_map = open_.back().is_map;
    open_.pop_back();
    is_map ? schema_.end_object() : schema_.end_array();
    end_value();
  }

  // A value is complete, and so may be the definite container around it.
  void end_value() {
    if (open_.empty()) return;
    OpenItem& top = open_.back();
    top.key_next = top.is_map;
    if (top.definite && --top.left == 0) end_container();
  }

  Window window_;
  PlanSchema& schema_;
  std::size_t item_size_ = 0;
  std::vector<OpenItem> open_;
  std::optional<std::string> chunks_;  // of an indefinite text
};

}  // namespace

void read_cbor(std::streambuf& bytes, PlanSchema& schema) {
  Reader(bytes, schema).read();
}

}  // namespace isotrope::io
