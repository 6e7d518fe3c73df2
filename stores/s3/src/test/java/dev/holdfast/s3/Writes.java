package dev.holdfast.s3;

import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Write;
import java.util.Optional;

/** Writes that tests make by hand. */
final class Writes {
    private Writes() {}

    static Write delete(String name, String tag) {
        Precondition.Stamped is = new Precondition.Stamped(new Stamp(1), tag, Optional.empty());
        return Write.delete(new RecordKey("default", name), is);
    }
}
