package dev.holdfast.server.routes;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Names;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Query;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the values that many calls take, from bodies and queries. Each checks itself; what is wrong names its field. */
public final class LockParameters {
    private static final RecordKey NOBODY = new RecordKey("-", "-");

    private LockParameters() {}

    static RecordKey key(JsonFields fields) {
        return lock(fields).record();
    }

    /** The lock that is named, or the part of it: names of deployments may spell one. */
    static LockKey lock(JsonFields fields) {
        String namespace = fields.text("namespace", LockParameters::namespace, NOBODY.namespace());
        String name = fields.text("name", LockParameters::lockName, NOBODY.name());
        return lock(namespace, name, problem -> fields.wrong("name", "is not allowed: " + problem));
    }

    static LockKey lock(Query query) {
        String namespace = query.required("namespace", LockParameters::namespace, NOBODY.namespace());
        String name = query.required("name", LockParameters::lockName, NOBODY.name());
        return lock(namespace, name, problem -> query.wrong("query parameter name is not allowed: " + problem));
    }

    private static LockKey lock(String namespace, String name, Consumer<String> wrong) {
        try {
            return LockKey.of(namespace, name);
        } catch (IllegalArgumentException e) {
            wrong.accept(String.valueOf(e.getMessage()));
            return new LockKey(NOBODY, LockPath.WHOLE);
        }
    }

    /** The part of this lock that is meant: told by {@code path}, or by the name itself. */
    static Optional<LockPath> path(JsonFields fields, LockKey named) {
        Optional<LockPath> told = fields.optionalText("path", LockPath::of);
        if (named.path().isWhole()) {
            return told;
        }
        if (told.isPresent() && !told.get().equals(named.path())) {
            fields.wrong("path", "must be left out, or be '" + named.path() + "': the name already says which part");
        }
        return Optional.of(named.path());
    }

    static String namespace(String text) {
        return new RecordKey(text, NOBODY.name()).namespace();
    }

    /** The name of the lock whose part this may be, in a namespace that is known. */
    static String lockName(Optional<String> namespace, String text) {
        return namespace.map(known -> LockKey.of(known, text).name()).orElseGet(() -> lockName(text));
    }

    static String lockName(String text) {
        return new RecordKey(NOBODY.namespace(), text).name();
    }

    /** Without dots: those are in ids that only the server itself makes. */
    static LeaseId leaseId(String text) {
        if (text.indexOf('.') >= 0) {
            throw new IllegalArgumentException("lease id may use only letters, digits, '_' and '-'");
        }
        return new LeaseId(text);
    }

    static String owner(String text) {
        return Names.text("owner", text, 1);
    }

    static String reason(String text) {
        return Names.text("reason", text, 0);
    }

    public static Optional<String> namespaceOf(Query query) {
        return query.text("namespace", LockParameters::namespace);
    }

    public static int limit(Query query) {
        return query.integer("limit", 1, MAX_PAGE).orElse((long) USUAL_PAGE).intValue();
    }

    /** What names start with: empty, or printable like them. */
    static String prefix(Query query) {
        return query.text("prefix", text -> Names.text("prefix", text, 0)).orElse("");
    }

    public static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }

    /** With a year of four digits, as RFC 3339 has it: further away not every store can count. */
    static Instant time(String text) {
        OffsetDateTime time = OffsetDateTime.parse(text);
        if (time.getYear() < 1 || time.getYear() > 9_998) {
            throw new IllegalArgumentException("the year must be between 1 and 9998");
        }
        return time.toInstant();
    }

    /** {@code lock.acquired} or {@code acquired}, {@code state.saved}. */
    static EventType event(String text) {
        for (EventType type : EventType.values()) {
            if (type.label().equals(text) || type.label().equals("lock." + text)) {
                return type;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not one of "
                + Stream.of(EventType.values()).map(EventType::label).collect(Collectors.joining(", ")));
    }

    private static final int MAX_PAGE = 1_000;
    private static final int USUAL_PAGE = 100;
}
