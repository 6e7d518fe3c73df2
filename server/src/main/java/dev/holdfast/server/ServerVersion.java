package dev.holdfast.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** Which version of Holdfast this is, as the build wrote it into the jar. */
public final class ServerVersion {
    private ServerVersion() {}

    /** Such as {@code 1.2.0}; {@code development} where classes run without having been packaged. */
    public static String text() {
        Properties properties = new Properties();
        try (InputStream in = Objects.requireNonNull(ServerVersion.class.getResourceAsStream("version.properties"))) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String version = properties.getProperty("version", "");
        return version.isEmpty() || version.startsWith("$") ? "development" : version;
    }
}
