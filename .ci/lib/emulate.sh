# Runs the tests of the kernels, and compares recorded results, on emulated processors. Source this
# file in the root of the module.

# The slowest packages come first. package_of_files depends on the byte order, but not on tiers.
emulated_packages='asm/accumulate fphash internal/promises/figures asm/hashing asm/hamming asm/minhash asm/scatter asm/wordscan fphash/index/indexfile asm/cpu'
package_of_files='fphash/index/indexfile'

# The emulator has no AVX-512, so no tier above avx2 is expected on any model. In CI, amd64 models
# only run the test of expected tiers, because each tier is also tested without emulation. s390x only
# runs packages that depend on the byte order.
models_ci=
models_of_tiers_ci='Nehalem Haswell EPYC-Milan'
big_endian_ci=" fphash $package_of_files "
models_deep='Nehalem SandyBridge Haswell Broadwell Skylake-Server Icelake-Server EPYC EPYC-Milan'
architectures_ci='arm64 s390x'
architectures_deep='arm64 s390x ppc64le riscv64'
models_arm64_ci='max'
models_arm64_deep='cortex-a72 max'

tiers_of() {
  case $1 in
    Nehalem | SandyBridge) echo generic ;;
    *) echo generic,avx2 ;;
  esac
}

install_emulator() {
  command -v qemu-x86_64 >/dev/null && command -v qemu-s390x >/dev/null && return
  apt-get update -qq && apt-get install -y -qq qemu-user
}

# build_emulated ARCHITECTURE DIR builds the test binary of each package.
build_emulated() {
  local package
  for package in $emulated_packages; do
    CGO_ENABLED=0 GOOS=linux GOARCH=$1 go test -c -o "$2/$1.${package//\//-}.test" "./$package"
  done
}

# emulated ARCHITECTURE DIR TIERS PACKAGE COMMAND... runs a test binary with the command, in the
# folder of its package, and shows its output at the end.
emulated() {
  local architecture=$1 dir=$2 tiers=$3 package=$4 status=0
  shift 4
  # qemu 7.2 faults on the masked elements of AVX2 loads, so only real processors run the tests with
  # guard pages, and the fuzz targets, which have empty slices. NEON has no such loads, so arm64
  # uses guard pages.
  local no_guard_pages=1
  [ "$architecture" != arm64 ] || no_guard_pages=
  (cd "$package" && FPHASH_NO_GUARD_PAGES=$no_guard_pages FPHASH_EXPECT_TIERS=${tiers//,/ } "$@" "$dir/$architecture.${package//\//-}.test" -test.run '^(Test|Example)' -test.timeout 20m) \
    >"$dir/out.$$" 2>&1 || status=$?
  echo "$architecture $*: $package"
  cat "$dir/out.$$"
  return "$status"
}

# emulate ci|deep runs everything, with one process per processor. The last line is a summary.
emulate() {
  local models=$models_ci models_of_tiers=$models_of_tiers_ci models_arm64=$models_arm64_ci architectures=$architectures_ci dir model architecture package
  if [ "$1" = deep ]; then
    models=$models_deep models_of_tiers= models_arm64=$models_arm64_deep architectures=$architectures_deep
  fi
  dir=$(mktemp -d)
  trap 'rm -rf "$dir"' RETURN
  install_emulator
  for architecture in amd64 $architectures 386; do
    build_emulated "$architecture" "$dir"
  done
  for lacking in avx xsave avx2 bmi1 bmi2 popcnt,-abm; do
    echo "amd64 Haswell without $lacking: generic"
    (cd asm/cpu && FPHASH_EXPECT_TIERS=generic qemu-x86_64 -cpu "Haswell,-$lacking" "$dir/amd64.asm-cpu.test" -test.run Expected)
  done
  for model in $models_of_tiers; do
    emulated amd64 "$dir" "$(tiers_of "$model")" asm/cpu qemu-x86_64 -cpu "$model"
  done
  for package in $emulated_packages; do
    for architecture in $architectures; do
      [ "$architecture" != arm64 ] || continue
      [[ $1 = deep || $big_endian_ci = *" $package "* ]] || continue
      echo "$architecture '$dir' generic $package qemu-$architecture"
    done
    echo "386 '$dir' generic $package env"
    [ "$package" != "$package_of_files" ] || continue
    for model in $models; do
      echo "amd64 '$dir' $(tiers_of "$model") $package qemu-x86_64 -cpu $model"
    done
    for model in $models_arm64; do
      echo "arm64 '$dir' generic,neon $package qemu-aarch64 -cpu $model"
    done
  done | xargs -P "${FPHASH_JOBS:-$(nproc)}" -L 1 bash -euo pipefail -c '. .ci/lib/emulate.sh; emulated "$@"' emulated
  echo "$(wc -w <<<"$models $models_of_tiers $models_arm64") CPU models; $architectures 386"
}
