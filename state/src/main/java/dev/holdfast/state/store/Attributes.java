package dev.holdfast.state.store;

import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Token;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What stands beside the bytes of a document, as short ASCII text:
 *
 * <pre>
 *   token, lease            the claim: who may save (only state.json)
 *   top-serial              the highest serial ever (only state.json)
 *   version, write-id, serial, lineage, sha256, saved-at, saved-token, saved-lease, by, operation, lock-id   the version
 * </pre>
 */
public final class Attributes {
    static final String TOKEN = "token";
    static final String LEASE = "lease";
    static final String TOP_SERIAL = "top-serial";
    static final String VERSION = "version";
    static final String WRITE_ID = "write-id";
    static final String SERIAL = "serial";
    static final String LINEAGE = "lineage";
    static final String SHA256 = "sha256";
    static final String SAVED_AT = "saved-at";
    static final String SAVED_TOKEN = "saved-token";
    static final String SAVED_LEASE = "saved-lease";
    static final String BY = "by";
    static final String OPERATION = "operation";
    static final String LOCK_ID = "lock-id";

    /** Longest of the free texts, encoded: all together stay below what a document may carry. */
    static final int MAX_TEXT = 240;

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private Attributes() {}

    /** What stands for a lease id: it can be compared, and not turned back into the right to release. */
    static String lease(LeaseId id) {
        return Sha256.of(id.value().getBytes(StandardCharsets.UTF_8)).substring(0, 32);
    }

    static Token token(Map<String, String> attributes) {
        return new Token(number(attributes, TOKEN));
    }

    static long number(Map<String, String> attributes, String name) {
        String text = attributes.getOrDefault(name, "");
        return NUMBER.matcher(text).matches() ? Long.parseLong(text) : 0;
    }

    static Optional<String> text(Map<String, String> attributes, String name) {
        return Optional.ofNullable(attributes.get(name)).map(Attributes::decoded);
    }

    /** Only the version, as its history entry carries it. */
    static Map<String, String> ofVersion(Map<String, String> attributes) {
        Map<String, String> own = new TreeMap<>(attributes);
        own.keySet().removeAll(java.util.List.of(TOKEN, LEASE, TOP_SERIAL));
        return own;
    }

    /** The version this document is; empty if it is none of ours, or none yet. */
    public static Optional<StateVersion> version(Stack stack, DocumentHead head) {
        Map<String, String> attributes = head.attributes();
        if (head.size() == 0 || !attributes.containsKey(VERSION)) {
            return Optional.empty();
        }
        return Optional.of(new StateVersion(
                stack,
                attributes.getOrDefault(VERSION, ""),
                number(attributes, SERIAL),
                text(attributes, LINEAGE),
                time(attributes.getOrDefault(SAVED_AT, "")),
                text(attributes, BY).orElse("unknown"),
                head.size(),
                attributes.getOrDefault(SHA256, ""),
                text(attributes, OPERATION).orElse(""),
                text(attributes, LOCK_ID),
                new Token(number(attributes, SAVED_TOKEN))));
    }

    public static Map<String, String> of(StateVersion version, String writeId, String lease) {
        Map<String, String> attributes = new TreeMap<>();
        attributes.put(VERSION, version.version());
        attributes.put(WRITE_ID, writeId);
        attributes.put(SERIAL, Long.toString(version.serial()));
        version.lineage()
                .map(Attributes::encoded)
                .filter(it -> it.length() <= MAX_TEXT) // half a lineage would be another one
                .ifPresent(it -> attributes.put(LINEAGE, it));
        attributes.put(SHA256, version.sha256());
        attributes.put(SAVED_AT, version.savedAt().toString());
        attributes.put(SAVED_TOKEN, version.token().toString());
        attributes.put(SAVED_LEASE, lease);
        attributes.put(BY, cut(encoded(version.by())));
        attributes.put(OPERATION, cut(encoded(version.operation())));
        version.lockId().ifPresent(id -> attributes.put(LOCK_ID, cut(encoded(id))));
        return attributes;
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH; // shown as very old; the version's name still says when
        }
    }

    /** Percent-encodes what is not printable ASCII, and the percent sign. */
    public static String encoded(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if ((b > ' ' && b < 0x7f && b != '%') || (b == ' ' && out.length() > 0)) {
                out.append((char) b);
            } else {
                out.append('%')
                        .append(Character.toUpperCase(Character.forDigit((b >> 4) & 15, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
            }
        }
        int end = out.length() - 1;
        if (end >= 0 && out.charAt(end) == ' ') { // stores trim what ends in a space
            out.replace(end, end + 1, "%20");
        }
        return out.toString();
    }

    public static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] bytes = new byte[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int high = c == '%' && i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
            bytes[length++] = low < 0 ? (byte) c : (byte) ((high << 4) | low);
            i += low < 0 ? 0 : 2;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private static String cut(String encoded) {
        if (encoded.length() <= MAX_TEXT) {
            return encoded;
        }
        int end = MAX_TEXT;
        int percent = encoded.lastIndexOf('%', end - 1);
        if (percent > end - 3) {
            end = percent; // not inside an escape
        }
        return encoded.substring(0, end);
    }
}
