package dev.holdfast.documents.keys;

import dev.holdfast.internal.loading.Services;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads master keys from where they are said to be. No message has a key in it. */
final class KeySources {
    private static final String FILE = "file:";
    private static final String VARIABLE = "env:";
    /** 32 bytes as hexadecimal digits, and room for spaces. */
    private static final int MAX_TEXT = 1_000;

    private static final String FORM = "32 random bytes in base64 or hexadecimal, as made by: openssl rand -base64 32";
    private static final Set<PosixFilePermission> TOO_MUCH = Set.of(
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE,
            PosixFilePermission.GROUP_WRITE);

    private KeySources() {}

    static MasterKey open(String source, Map<String, String> environment) {
        if (source.startsWith(FILE)) {
            return local("File '" + source.substring(FILE.length()) + "'", file(source.substring(FILE.length())));
        }
        if (source.startsWith(VARIABLE)) {
            String name = source.substring(VARIABLE.length());
            String text = environment.get(name);
            if (text == null || text.isBlank()) {
                throw new IllegalArgumentException(
                        "Variable '" + shown(name) + "' of the environment is not set; it must have " + FORM);
            }
            return local("Variable '" + name + "'", text);
        }
        List<String> known = new ArrayList<>(List.of("file:/etc/holdfast/state.key", "env:STATE_KEY"));
        for (MasterKeyFactory factory : Services.of(MasterKeyFactory.class)) {
            if (factory.accepts(source)) {
                return factory.open(source);
            }
            known.add(factory.example());
        }
        // Not repeated: it may be the key itself.
        throw new IllegalArgumentException("A master key must be named by where it is: " + String.join(", ", known));
    }

    private static String file(String path) {
        try {
            Path file = Path.of(path);
            refuseOpenToOthers(file);
            if (Files.size(file) > MAX_TEXT) {
                throw new IllegalArgumentException("File '" + path + "' is not a key: it has " + Files.size(file)
                        + " bytes; it must have " + FORM);
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("The key in file '" + path + "' cannot be read: " + e, e);
        }
    }

    private static void refuseOpenToOthers(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)) {
            return;
        }
        if (Files.getPosixFilePermissions(file).stream().anyMatch(TOO_MUCH::contains)) {
            throw new IllegalArgumentException("The key in file '" + file
                    + "' can be read or changed by others than its owner; run: chmod 600 " + file);
        }
    }

    private static LocalKey local(String where, String text) {
        try {
            return LocalKey.of(bytes(text.replaceAll("\\s", "")));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + " has no key: it " + e.getMessage() + ". It must have " + FORM);
        }
    }

    private static byte[] bytes(String text) {
        try {
            return text.length() == 2 * DataKey.BYTES
                    ? HexFormat.of().parseHex(text)
                    : (text.contains("-") || text.contains("_") ? Base64.getUrlDecoder() : Base64.getDecoder())
                            .decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "is neither base64 nor hexadecimal"); // the cause would show a part of it
        }
    }

    private static String shown(String name) {
        return name.matches("[A-Za-z_][A-Za-z0-9_]{0,99}") ? name : "(not a variable name)";
    }
}
