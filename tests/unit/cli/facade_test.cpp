// The library's one entry, as a program that links it sees it.
#include <doctest/doctest.h>

#include "ullage/ullage.hpp"

TEST_CASE("a question is answered as on the command line") {
  const ullage::Reply reply =
      ullage::ask({"fit", "320B", "--bits", "8", "--on", "trainium2", "-o", "json"});
  CHECK(reply.status == 0);
  CHECK(reply.diagnostics.empty());
  CHECK(reply.output.find("\"devices_min\": {\"value\": 5") != std::string::npos);
}

TEST_CASE("a wrong question has status 2 and says what would be right") {
  const ullage::Reply reply = ullage::ask({"fit", "320B", "--on", "trainium2"});
  CHECK(reply.status == 2);
  CHECK(reply.output.empty());
  CHECK(reply.diagnostics.find("--bits") != std::string::npos);
  CHECK(reply.diagnostics.ends_with('\n'));
}

TEST_CASE("questions do not see each other's overlays") {
  const ullage::Reply before = ullage::ask({"--version"});
  const ullage::Reply overlaid =
      ullage::ask({"show", "trainium2", "--catalogue", "no such folder"});
  CHECK(overlaid.status == 2);
  CHECK(ullage::ask({"--version"}).output == before.output);
}

TEST_CASE("text has no colour, unless it is asked for") {
  CHECK(ullage::ask({"show", "trainium2"}).output.find('\x1b') == std::string::npos);
  CHECK(ullage::ask({"show", "trainium2", "--color", "always"}).output.find('\x1b') !=
        std::string::npos);
}
