f() { local x=1; vllm serve $x; }
f "$@" 2>&1 | tee log
case $1 in a) echo;; *) false;; esac
