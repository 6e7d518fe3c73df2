package dev.holdfast.state.versions;

import java.nio.charset.StandardCharsets;

/** A version with its bytes, whose checksum was right when it was read. */
public final class LoadedState {
    private final StateVersion version;
    private final byte[] content;

    /** These bytes, whose checksum is that of the version. They are not copied. */
    public LoadedState(StateVersion version, byte[] content) {
        this.version = version;
        this.content = content;
    }

    public StateVersion version() {
        return version;
    }

    /** The bytes exactly as they were saved. Not a copy: state may be large. Do not change them. */
    public byte[] content() {
        return content;
    }

    public String text() {
        return new String(content, StandardCharsets.UTF_8);
    }

    /** Without the bytes: state holds secrets. */
    @Override
    public String toString() {
        return version.toString();
    }
}
