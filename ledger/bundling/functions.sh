bytes() {
  printf "$(echo "$1" | awk -v h=0123456789abcdef '{
    for (i = 1; i < length($0); i += 2)
      printf "\\%03o", 16 * index(h, substr($0, i, 1)) + index(h, substr($0, i + 1, 1)) - 17
  }')"
}
match=$(sha256sum < apart/0.signed | cut -c 1-64)
by() { awk -v n="$1" '$1 == n { print $2 }' apart/facts; }
opened() { sed -n 's/.*"nonce":"\([0-9a-f]*\)","roll":'"$1"'}.*/\1/p' "apart/$2.payload"; }
bound() {
  sed -n -e 's/.*"commitment":"\([0-9a-f]*\)","roll":'"$1"'}.*/\1/p' \
    -e 's/.*"next":"\([0-9a-f]*\)",.*"roll":'"$(($1 - 1))"'}.*/\1/p' "apart/$2.payload"
}
promise() { { printf 'dice-commit/v1\000'; bytes "$match$1"; } | sha256sum | cut -c 1-64; }
dice() {
  printf 'dice-block/v1\000\000\000\000\000' |
    openssl dgst -sha256 -mac HMAC -macopt "hexkey:$1" -binary | od -An -v -tu1 |
    awk -v wanted="$2" '{ for (i = 1; i <= NF; i++) if ($i < 252 && n < wanted) {
      printf "%s%d", (n ? "-" : ""), $i % 6 + 1; n++
    } }'
}
