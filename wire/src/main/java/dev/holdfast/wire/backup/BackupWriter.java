package dev.holdfast.wire.backup;

import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Writes a backup, line by line. Without {@link #end} it is none: whoever reads it sees that the rest is missing. */
final class BackupWriter {
    private static final int BUFFER = 64 << 10;
    /** Of a document in one line: no line is long, however large the document. */
    private static final int PART = 48 << 10;

    private final GZIPOutputStream out;
    private final MessageDigest digest = Sha256.start();
    private final BackupCount count = new BackupCount();

    /** Begins one. The caller closes what it is written to. */
    BackupWriter(OutputStream to, BackupHeader header) throws IOException {
        this.out = new GZIPOutputStream(to, BUFFER);
        line(BackupLines.of(header));
    }

    void lock(LockRecord record) throws IOException {
        count.lock(record);
        line(BackupLines.of(record));
    }

    void event(StoredEvent event) throws IOException {
        count.event(event);
        line(BackupLines.of(event));
    }

    void fence(FencedToken fence) throws IOException {
        count.fence(fence);
        line(BackupLines.of(fence));
    }

    /** A document; if it was written before, this is the one that counts. */
    void document(String name, Map<String, String> attributes, byte[] content) throws IOException {
        count.document(name, content.length, attributes);
        line(BackupLines.document(name, content.length, Sha256.of(content), attributes));
        for (int from = 0; from < content.length; from += PART) {
            line(BackupLines.bytes(content, from, Math.min(content.length, from + PART)));
        }
    }

    /** A document that was written before is gone. */
    void gone(String name) throws IOException {
        count.gone(name);
        line(BackupLines.gone(name));
    }

    private void line(byte[] json) throws IOException {
        digest.update(json);
        digest.update((byte) '\n');
        out.write(json);
        out.write('\n');
    }

    /** The last line, with the counts and the checksum of all before it. */
    BackupTotals end() throws IOException {
        BackupTotals totals = count.totals();
        out.write(BackupLines.end(totals, Sha256.end(digest)));
        out.write('\n');
        out.finish();
        out.flush();
        return totals;
    }
}
