package dev.holdfast.dashboard;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** One file of the page, to be sent as it is or compressed. Immutable; the bytes are not copied, and must not be changed. */
public final class DashboardFile {
    private final String name;
    private final byte[] plain;

    DashboardFile(String name, byte[] plain) {
        this.name = name;
        this.plain = plain;
    }

    public String name() {
        return name;
    }

    public byte[] plain() {
        return plain;
    }

    /** Made anew with each call: whoever sends it keeps it. */
    public byte[] gzip() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(plain.length / 2 + 64);
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // never, in memory
        }
        return bytes.toByteArray();
    }

    public String contentType() {
        String ending = name.substring(name.lastIndexOf('.') + 1);
        return switch (ending) {
            case "js" -> "text/javascript; charset=utf-8";
            case "css" -> "text/css; charset=utf-8";
            case "svg" -> "image/svg+xml";
            case "html" -> "text/html; charset=utf-8";
            default -> throw new IllegalStateException("of which type is " + name + "?");
        };
    }
}
