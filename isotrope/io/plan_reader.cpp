// SPDX-FileCopyrightText: The Isotrope authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <streambuf>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "isotrope/base/spelling.hpp"

#include "isotrope/io/document_reader.hpp"
#include "isotrope/io/input_file.hpp"
#include "isotrope/io/plan_file.hpp"

namespace isotrope::io {
namespace {

[[noreturn]] void refuse_to_read(int reason) {
  throw Error(fmt::format("cannot be read: {}", std::generic_category().message(reason)));
}

// The bytes of a file, read chunk by chunk. Calls `progress` with the share read after every chunk, which holds some
// 2^16 hops. Memory: one chunk. Throws Error with the reason, without the name of the file.
class FileBytes : public std::streambuf {
 public:
  FileBytes(const std::filesystem::path& file, const Progress& progress) : progress_(progress) {
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse_to_read(errno);
    struct stat status = {};
    if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode))
      size_ = static_cast<double>(status.st_size);
  }
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() override { ::close(descriptor_); }

 protected:
  int_type underflow() override {
    if (gptr() < egptr()) return traits_type::to_int_type(*gptr());
    ssize_t count;
    do {
      count = ::read(descriptor_, chunk_.data(), chunk_.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) refuse_to_read(errno);
    read_ += static_cast<double>(count);
    if (progress_ && size_ > 0) progress_(std::min(1.0, read_ / size_));
    setg(chunk_.data(), chunk_.data(), chunk_.data() + count);
    return count == 0 ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }

 private:
  const Progress& progress_;
  int descriptor_;
  double size_ = 0;  // 0 if unknown: a pipe
  double read_ = 0;
  std::vector<char> chunk_ = std::vector<char>(std::size_t{1} << 19);
};

// Bytes in memory.
class MemoryBytes : public std::streambuf {
 public:
  explicit MemoryBytes(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());  // the get area is never written to
    setg(begin, begin, begin + bytes.size());
  }
};

// JSON begins with a brace or a blank, CBOR with the head of a map, as one in eight files of other bytes does.
void check_format(std::streambuf& bytes, PlanFormat format) {
  const auto first = bytes.sgetc();
  const bool json = first == '{' || first == ' ' || first == '\t' || first == '\n' || first == '\r';
  const bool cbor = 0xA0 <= first && first <= 0xBF;
  if (format == PlanFormat::cbor && json)
    throw Error("the content is JSON, the name says CBOR; name the file .json");
  if (format == PlanFormat::json && cbor)
    throw Error("the content is not JSON; if it is CBOR, name the file .cbor");
}

RawPlan read_raw(std::streambuf& bytes, PlanFormat format) {
  check_format(bytes, format);
  RawPlan raw;
  PlanSchema schema(raw);
  try {
    format == PlanFormat::cbor ? read_cbor(bytes, schema) : read_json(bytes, schema);
  } catch (const SyntaxError&) {
    throw;
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", schema.place(), error.what()));
  }
  return raw;
}

// The plan from `bytes()`. Puts the name of the file before the message of an Error, which may quote the file.
template <class Bytes>
schedule::Plan read_named(const std::string& name, PlanFormat format, Bytes bytes) {
  constexpr std::size_t longest_message = 1000;
  try {
    auto source = bytes();
    return checked_plan(read_raw(source, format));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", name, excerpt(error.what(), longest_message)));
  }
}

}  // namespace

PlanFormat plan_format(const std::filesystem::path& file) {
  return file.extension() == ".cbor" ? PlanFormat::cbor : PlanFormat::json;
}

schedule::Plan read_plan(const std::filesystem::path& file, const Progress& progress) {
  require_input(file);
  return read_named(file.string(), plan_format(file), [&] { return FileBytes(file, progress); });
}

schedule::Plan read_plan(std::string_view bytes, PlanFormat format, const std::string& name) {
  return read_named(name, format, [&] { return MemoryBytes(bytes); });
}

}  // namespace isotrope::io
