#!/bin/sh
# Serves Kongbox on this Mac for as long as its window is open. What the app carries is put in
# place at the first start, and again when the app was replaced by another version. Programs are read
# through cat and tar, so that what macOS notes on a file from the internet does not come with them.
set -u
program=$(cd "$(dirname "$0")" && pwd)
resources=$(cat "$program/resources")
python="$program/@KEY@/bin/python3"

prepare() {
    export UV_NO_CONFIG=1 UV_NO_CACHE=1 UV_PYTHON_INSTALL_BIN=0
    export UV_PYTHON_INSTALL_DIR="$program/fetched"
    rm -rf "$program/fetched" "$program/kongbox.txt"
    cat "$resources/uv" > "$program/uv" && chmod 700 "$program/uv" || return 1
    if [ ! -x "$python" ]; then
        if [ -f "$resources/python.tar.gz" ]; then
            mkdir -p "$program/fetched/@KEY@"
            tar -xzf - -C "$program/fetched/@KEY@" --strip-components 1 \
                < "$resources/python.tar.gz" || return 1
        else
            printf ' Fetching Python from the internet: about 25 MB, this once.\n'
            "$program/uv" python install @KEY@ || return 2
        fi
        rm -rf "$program"/cpython-*
        mv "$program/fetched/@KEY@" "$program/@KEY@" || return 1
        rm -rf "$program/fetched"
    fi
    "$program/uv" pip sync --python "$python" --break-system-packages --offline --no-index \
        --find-links "$resources/parts" --require-hashes --reinstall --compile-bytecode \
        "$resources/parts/kongbox.txt" || return 1
    cp "$resources/parts/kongbox.txt" "$program/kongbox.txt"
}

wait_for_return() {
    printf '\n Press Return to close.\n'
    read -r _
    exit 1
}

printf '\033]0;Kongbox - leave this window open while you play\007'
if ! cmp -s "$resources/parts/kongbox.txt" "$program/kongbox.txt"; then
    printf '\n Kongbox is being put in place, this once. This takes a minute or two.\n\n'
    prepare
    case $? in
        0) ;;
        2)
            printf '\n This Mac is not connected to the internet, which Kongbox needs this once.\n'
            printf ' Connect it, and open Kongbox again.\n'
            wait_for_return ;;
        *)
            printf '\n Kongbox could not be put in place. Make a picture of this window for whoever\n'
            printf ' helps you, and open Kongbox again.\n'
            wait_for_return ;;
    esac
fi
printf '\n Leave this window open while you play. Closing it stops Kongbox.\n'
printf ' Nothing is lost: all that was entered is kept.\n\n'
"$python" -I -c "from webapp.cli.main import main; main(prog_name='kongbox')" "$@" || {
    printf '\n Kongbox has stopped. If what stands above does not help, make a picture of this window\n'
    printf ' for whoever helps you, and open Kongbox again.\n'
    wait_for_return
}
