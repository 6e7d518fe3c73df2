package dev.holdfast.server.config.values;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The text of a file, up to a size. */
public final class FileContent {
    /** Far above any secret; a path that names a log by mistake is noticed. */
    private static final int MOST_BYTES = 64 * 1024;

    private FileContent() {}

    /** The value in a file named by a setting, without the newline an editor leaves at its end. */
    public static String read(Path workingDirectory, Value path) throws Unreadable {
        if (!(path instanceof Value.Text text) || text.text().isBlank()) {
            throw new Unreadable("must name a file that has the value");
        }
        try {
            return read(workingDirectory.resolve(text.text().strip()), MOST_BYTES)
                    .replaceAll("[\\r\\n]+$", "");
        } catch (InvalidPathException e) {
            throw new Unreadable("must name a file, was " + text.described());
        }
    }

    /** All of a file's text, which must be UTF-8. */
    public static String read(Path file, int mostBytes) throws Unreadable {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(mostBytes + 1);
            if (bytes.length > mostBytes) {
                throw new Unreadable("names '" + file + "', which is larger than " + mostBytes / 1024 + " KB");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new Unreadable("names '" + file + "', which is not UTF-8 text");
        } catch (NoSuchFileException e) {
            throw new Unreadable("names '" + file + "', which does not exist");
        } catch (IOException e) {
            throw new Unreadable("names '" + file + "', which cannot be read (" + e + ")");
        }
    }

    /** The message completes "the setting …". */
    public static final class Unreadable extends Exception {
        public Unreadable(String message) {
            super(message);
        }
    }
}
