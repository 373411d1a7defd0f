#!/bin/sh
# The linker of builds for Linux on x86-64: the C compiler, as always, but for an optimized program `link_ordered.py`.
case " $* " in
*" -o "*/release/deps/agentmd-[0-9a-f]* | *" -o "*/dist/deps/agentmd-[0-9a-f]*)
  if command -v python3 >/dev/null && python3 "$(dirname "$0")/link_ordered.py" "$@"; then exit; fi
  ;;
esac
exec cc "$@"
