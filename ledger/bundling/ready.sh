export LC_ALL=C
bad() { echo "NOT SOUND: $*."; exit 1; }
[ -s apart/whole ] && [ "$(cat apart/whole)" = "$(sha256sum 2> /dev/null < match.tabellion.json)" ] ||
  bad "this record is not taken apart, run block 1 first"
