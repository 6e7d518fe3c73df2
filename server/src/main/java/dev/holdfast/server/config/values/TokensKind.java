package dev.holdfast.server.config.values;

import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.TokenEntry;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A list of API tokens: {@code [{id: ci, sha256: 8d1f…, roles: {"*": [read]}, expires: 2027-01-31, group: ci}]}; the last two may be
 * left out.
 *
 * <p>What stands at {@code sha256} is never shown or repeated: somebody may have put the token itself there.
 */
public final class TokensKind extends EntriesKind<TokenEntry> {
    private static final int MOST = 1_000;
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    /** Hashes that stand in manuals, and those of the words that are tried first. Whoever uses one has published the token. */
    private static final Set<String> SAMPLES = Stream.concat(
                    Stream.of("", "hello world", "\n", "abc\n", "password\n", "changeme\n"),
                    Stream.of(
                            ("abc password changeme change-me secret token test admin root example holdfast hf_ letmein hello foo "
                                            + "bar x a 1 1234 12345 123456 12345678 123456789 qwerty my-token mytoken my-secret mysecret s3cret "
                                            + "TOKEN <token>")
                                    .split(" ", -1)))
            .map(word -> Digest.of(word).hex())
            .collect(Collectors.toUnmodifiableSet());

    public TokensKind() {
        super(
                MOST,
                "a list of maps with `id`, `sha256`, `roles`, and optionally `expires` and `group`",
                List.of("id", "sha256", "roles", "expires", "group"));
    }

    @Override
    Supplier<TokenEntry> entry(Part part) {
        String id = part.neededId();
        String sha256 = hash(part);
        if (!HASH.matcher(sha256).matches()) {
            part.refuse(
                    "sha256",
                    "must be 64 hexadecimal digits, the SHA-256 of the token; make one with: holdfast token create");
        } else if (SAMPLES.contains(sha256)) {
            part.refuse(
                    "sha256", "is the hash of a sample that everybody knows; make a token with: holdfast token create");
        }
        Map<String, List<String>> roles = part.roles();
        Optional<Instant> expires = part.optionalText("expires").flatMap(text -> expires(part, text));
        Optional<String> group = part.group();
        return () -> new TokenEntry(id, sha256, Grants.spelled(roles), expires, group);
    }

    private static String hash(Part part) {
        return part.text("sha256").toLowerCase(Locale.ROOT);
    }

    private static Optional<Instant> expires(Part part, String text) {
        try {
            return Optional.of(
                    DATE.matcher(text).matches()
                            ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                            : OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            part.refuse(
                    "expires",
                    "must be a time such as 2027-01-31T18:00:00Z, or a date: then it counts until that day begins in UTC",
                    ValueRefusal.quoted(text));
            return Optional.empty();
        }
    }

    @Override
    void compare(List<Part> parts) {
        Set<String> ids = new HashSet<>();
        Set<String> hashes = new HashSet<>();
        for (Part part : parts) {
            String id = part.text("id");
            if (!id.isEmpty() && !ids.add(id)) {
                part.refuse("id", "is used by an earlier token", ValueRefusal.quoted(id));
            }
            if (!hash(part).isEmpty() && !hashes.add(hash(part))) {
                part.refuse("sha256", "is the same as that of an earlier token");
            }
        }
    }

    @Override
    public String shown(Value value, List<TokenEntry> read) {
        return read.stream()
                .map(entry -> "{id: " + entry.id() + ", sha256: ***, roles: " + roles(entry.roles())
                        + entry.expires().map(end -> ", expires: " + end).orElse("")
                        + entry.group().map(group -> ", group: " + group).orElse("") + "}")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    private static String roles(Grants roles) {
        return roles.spelling().entrySet().stream()
                .map(granted -> Value.flow(granted.getKey()) + ": "
                        + granted.getValue().stream().sorted().toList())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    @Override
    public boolean mayBeRepeated(Value value) {
        return false;
    }
}
