package dev.holdfast.wire.backup;

import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import dev.holdfast.wire.json.InvalidJsonException;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads a backup from its first line to its last, and finds out whether it is whole: form, counts, the checksum of each document and that
 * of everything. What a visitor was shown counts only once {@link #read} has returned.
 *
 * <p>A line and one document are in memory at a time, and the names of documents.
 */
public final class BackupReader {
    private static final int BUFFER = 64 << 10;
    /** No line that we write comes near. */
    private static final int MAX_LINE = 16 << 20;

    private final InputStream in;
    private final BackupVisitor visitor;
    private final MessageDigest digest = Sha256.start();
    private final BackupCount count = new BackupCount();
    private final byte[] buffer = new byte[BUFFER];
    private int filled;
    private int position;
    private long lines;
    private Optional<BackupHeader> header = Optional.empty();
    private Optional<Arriving> arriving = Optional.empty();

    /** A document whose bytes are on their way. */
    private record Arriving(Json.Obj head, int ordinal, long size, ByteArrayOutputStream bytes) {}

    private BackupReader(InputStream in, BackupVisitor visitor) {
        this.in = in;
        this.visitor = visitor;
    }

    /**
     * Shows it to the visitor, in the order of the file.
     *
     * @throws DamagedBackupException if it is not a whole backup, or one of a newer version
     * @throws IOException if it cannot be read
     */
    public static BackupSummary read(InputStream file, BackupVisitor visitor) throws IOException {
        try (GZIPInputStream unpacked = new GZIPInputStream(file, BUFFER)) {
            return new BackupReader(unpacked, visitor).all();
        } catch (ZipException e) {
            throw new DamagedBackupException("it is not a backup, or was changed: " + e.getMessage(), e);
        } catch (EOFException e) {
            throw cutOff();
        }
    }

    private BackupSummary all() throws IOException {
        while (true) {
            byte[] line = next().orElseThrow(BackupReader::cutOff);
            Json.Obj value = object(line);
            String kind = value.members().keySet().stream().findFirst().orElse("");
            if (lines == 1 && !kind.equals(BackupLines.HEADER)) {
                throw new DamagedBackupException("it does not begin like a backup of Holdfast", null);
            }
            if (kind.equals(BackupLines.END)) {
                return summary(part(value, kind));
            }
            digest.update(line);
            digest.update((byte) '\n');
            take(kind, value);
        }
    }

    private BackupSummary summary(Json.Obj end) throws IOException {
        complete();
        BackupTotals told = understood(() -> BackupLines.totals(end));
        String sha256 = Sha256.end(digest);
        if (!end.text("sha256").orElse("").equals(sha256)) {
            throw new DamagedBackupException(
                    "its checksum is wrong: it was changed after it was written (sha256 of its lines is " + sha256
                            + ")",
                    null);
        }
        if (!told.equals(count.totals())) {
            throw new DamagedBackupException("it says that it has " + told + ", and has " + count.totals(), null);
        }
        if (next().isPresent()) {
            throw new DamagedBackupException("more follows after its end", null);
        }
        return new BackupSummary(header.orElseThrow(BackupReader::cutOff), told, count.latest());
    }

    private void take(String kind, Json.Obj value) {
        if (!kind.equals(BackupLines.BYTES)) {
            complete();
        }
        switch (kind) {
            case BackupLines.HEADER -> begin(part(value, kind));
            case BackupLines.LOCK -> {
                LockRecord record = understood(() -> BackupLines.lock(part(value, kind)));
                count.lock(record);
                visitor.lock(record);
            }
            case BackupLines.EVENT -> {
                StoredEvent event = understood(() -> BackupLines.event(part(value, kind)));
                count.event(event);
                visitor.event(event);
            }
            case BackupLines.FENCE -> {
                FencedToken fence = understood(() -> BackupLines.fence(part(value, kind)));
                count.fence(fence);
                visitor.fence(fence);
            }
            case BackupLines.DOCUMENT -> arriving = Optional.of(understood(() -> arriving(part(value, kind))));
            case BackupLines.BYTES -> append(value.text(kind).orElse(""));
            case BackupLines.GONE -> count.gone(value.text(kind).orElse(""));
            default ->
                throw new DamagedBackupException("line " + lines + " has something unknown, '" + kind + "'", null);
        }
    }

    private void begin(Json.Obj head) {
        long format = head.at("format").number().orElse(0);
        if (header.isPresent() || format < 1) {
            throw new DamagedBackupException("it does not begin like a backup of Holdfast", null);
        }
        if (format > BackupHeader.FORMAT) {
            throw new DamagedBackupException(
                    "it was written by a newer Holdfast ("
                            + head.text("written_by").orElse("?") + ", format " + format + "; this one knows "
                            + BackupHeader.FORMAT + "). Use that one",
                    null);
        }
        header = Optional.of(understood(() -> BackupLines.header(head)));
    }

    // ---- documents

    private Arriving arriving(Json.Obj head) {
        long size = BackupLines.number(head, "size");
        int ordinal = count.document(BackupLines.text(head, "name"), size, head.textsByName("attributes"));
        return new Arriving(head, ordinal, size, new ByteArrayOutputStream());
    }

    private void append(String base64) {
        byte[] part = understood(() -> Base64.getDecoder().decode(base64));
        Arriving document = arriving.orElseThrow(
                () -> new DamagedBackupException("line " + lines + " has bytes of no document", null));
        if (document.bytes().size() + (long) part.length > document.size()) {
            throw damaged(document, "is longer than it should be");
        }
        document.bytes().writeBytes(part);
    }

    /** The last document has all its bytes now. */
    private void complete() {
        if (arriving.isEmpty()) {
            return;
        }
        Arriving document = arriving.get();
        arriving = Optional.empty();
        byte[] content = document.bytes().toByteArray();
        if (content.length != document.size()) {
            throw damaged(document, "is shorter than it should be");
        }
        if (!Sha256.of(content).equals(document.head().text("sha256").orElse(""))) {
            throw damaged(document, "has a wrong checksum");
        }
        visitor.document(
                document.ordinal(),
                BackupLines.text(document.head(), "name"),
                document.head().textsByName("attributes"),
                content);
    }

    private static DamagedBackupException damaged(Arriving document, String how) {
        return new DamagedBackupException(
                "document '" + document.head().text("name").orElse("?") + "' in it " + how, null);
    }

    // ---- lines

    /** The next line without its end; empty behind the last. */
    private Optional<byte[]> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        while (true) {
            if (position == filled) {
                filled = in.read(buffer, 0, buffer.length);
                position = 0;
                if (filled <= 0) {
                    filled = 0;
                    if (line.size() > 0) {
                        throw cutOff();
                    }
                    return Optional.empty();
                }
            }
            int end = position;
            while (end < filled && buffer[end] != '\n') {
                end++;
            }
            line.write(buffer, position, end - position);
            if (line.size() > MAX_LINE) {
                throw new DamagedBackupException("line " + (lines + 1) + " is longer than any of a backup", null);
            }
            position = Math.min(end + 1, filled);
            if (end < filled) {
                lines++;
                return Optional.of(line.toByteArray());
            }
        }
    }

    private Json.Obj object(byte[] line) {
        try {
            if (JsonText.read("line " + lines, line, 0, line.length) instanceof Json.Obj object) {
                return object;
            }
        } catch (InvalidJsonException e) {
            throw new DamagedBackupException("it is not a backup, or was changed: " + e.getMessage(), e);
        }
        throw new DamagedBackupException("line " + lines + " is not an object", null);
    }

    private Json.Obj part(Json.Obj value, String kind) {
        return value.object(kind)
                .orElseThrow(() ->
                        new DamagedBackupException("'" + kind + "' in line " + lines + " is not an object", null));
    }

    private <T> T understood(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException | ArithmeticException | DateTimeException | StoreUnusableException e) {
            throw new DamagedBackupException("line " + lines + " cannot be understood: " + e.getMessage(), e);
        }
    }

    private static DamagedBackupException cutOff() {
        return new DamagedBackupException("it is cut off: its end is missing", null);
    }
}
