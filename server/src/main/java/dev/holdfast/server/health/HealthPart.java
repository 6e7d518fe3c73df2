package dev.holdfast.server.health;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Locale;

/**
 * How one part of the server stands.
 *
 * @param detail a sentence about it, for whoever asks: without paths, addresses and secrets
 */
public record HealthPart(Name name, Status status, String detail) {
    /** The parts, in the order in which they are told. */
    public enum Name {
        STORE("The store", true),
        WRITES("Writing to the store", true),
        DISK("The disk", true),
        CLOCK("The clock of the store", true),
        CERTIFICATE("The TLS certificate", true),
        STATE("State", false),
        GUARD("The guard", false),
        HISTORY("The history", false);

        private final String title;
        private final boolean decisive;

        Name(String title, boolean decisive) {
            this.title = title;
            this.decisive = decisive;
        }

        public String spelling() {
            return name().toLowerCase(Locale.ROOT);
        }

        String title() {
            return title;
        }

        /** Whether the server wants no requests while this is down; without the others it serves locks all the same. */
        boolean isDecisive() {
            return decisive;
        }
    }

    public enum Status {
        UP,
        /** It works, and somebody should look before it does not. */
        WARN,
        DOWN,
        /** Not used on this server. */
        OFF
    }

    boolean isDown() {
        return status == Status.DOWN;
    }

    public static HealthPart up(Name name, String detail) {
        return new HealthPart(name, Status.UP, detail);
    }

    public static HealthPart warn(Name name, String detail) {
        return new HealthPart(name, Status.WARN, detail);
    }

    public static HealthPart down(Name name, String detail) {
        return new HealthPart(name, Status.DOWN, detail);
    }

    public static HealthPart off(Name name, String detail) {
        return new HealthPart(name, Status.OFF, detail);
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStringField("name", name.spelling());
        json.writeStringField("status", status.name());
        json.writeStringField("detail", detail);
    }
}
