package dev.holdfast.spi;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.model.Account;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.model.Waiter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Holds and waiters as JSON objects. Fields at their usual value are left out. */
final class HoldJson {
    private HoldJson() {}

    /** Objects and arrays as text. By hand: it is written with every change of a lock, and a generator would cost more than the rest. */
    static final class Out {
        private final StringBuilder text;

        Out(int size) {
            text = new StringBuilder(size);
        }

        /** What has been written. */
        String text() {
            return text.toString();
        }

        Out open(char bracket) {
            next();
            text.append(bracket);
            return this;
        }

        Out close(char bracket) {
            text.append(bracket);
            return this;
        }

        /** A name of ours, which needs no escapes; its value is to follow. */
        Out name(String name) {
            next();
            text.append('"').append(name).append("\":");
            return this;
        }

        /** Anybody's name. */
        Out anyName(String name) {
            string(name);
            text.append(':');
            return this;
        }

        Out string(String value) {
            next();
            PastJson.quote(text, value);
            return this;
        }

        Out number(long value) {
            next();
            text.append(value);
            return this;
        }

        /** JSON as it is. */
        Out raw(String json) {
            next();
            text.append(json);
            return this;
        }

        private void next() {
            int size = text.length();
            if (size > 0) {
                char last = text.charAt(size - 1);
                if (last != '{' && last != '[' && last != ':') {
                    text.append(',');
                }
            }
        }
    }

    static void write(Out json, Hold hold) {
        json.open('{');
        head(json, hold.leaseId(), hold.scope(), hold.owner());
        json.name("token").number(hold.token().value());
        json.name("granted_at").number(Times.micros(hold.grantedAt()));
        if (!hold.renewedAt().equals(hold.grantedAt())) {
            json.name("renewed_at").number(Times.micros(hold.renewedAt()));
        }
        json.name("expires_at").number(Times.micros(hold.expiresAt()));
        Terms terms = hold.terms();
        json.name("lease").number(Times.micros(terms.lease()));
        optional(json, "renew_every", terms.renewEvery());
        optional(json, "min_hold", terms.minHold());
        if (!terms.reason().isEmpty()) {
            json.name("reason").string(terms.reason());
        }
        if (!terms.account().isNone()) {
            json.name("account").string(terms.account().name());
        }
        if (!terms.account().group().isEmpty()) {
            json.name("account_group").string(terms.account().group());
        }
        if (!terms.metadata().isEmpty()) {
            json.name("metadata");
            metadata(json, terms.metadata());
        }
        if (hold.phase() != Hold.Phase.HELD) {
            json.name("phase").string(hold.phase().name().toLowerCase(Locale.ROOT));
        }
        if (hold.ticket().isPresent()) {
            json.name("ticket").open('{'); // the rest of it is the hold's own
            place(json, hold.ticket().get());
            json.close('}');
        }
        if (hold.stale()) {
            json.name("stale").raw("true");
        }
        json.close('}');
    }

    static void write(Out json, Waiter waiter) {
        json.open('{');
        head(json, waiter.leaseId(), waiter.scope(), waiter.owner());
        place(json, waiter);
        json.close('}');
    }

    private static void place(Out json, Waiter waiter) {
        json.name("engine").string(waiter.engine().value());
        optional(json, "claim_within", waiter.claimWithin());
        json.name("since").number(Times.micros(waiter.since()));
        if (waiter.missed()) {
            json.name("missed").raw("true");
        }
    }

    private static void head(Out json, LeaseId leaseId, Scope scope, String owner) {
        json.name("lease_id").string(leaseId.value());
        json.name("owner").string(owner);
        json.name("mode").string(scope.mode().label());
        if (scope.mode().kind() == Mode.Kind.PERMIT) {
            json.name("limit").number(scope.mode().limit());
        }
        if (scope.paths().size() > 1 || !scope.paths().get(0).isWhole()) {
            json.name("paths").open('[');
            for (LockPath path : scope.paths()) {
                json.string(path.value());
            }
            json.close(']');
        }
    }

    private static void optional(Out json, String field, Duration duration) {
        if (!duration.isZero()) {
            json.name(field).number(Times.micros(duration));
        }
    }

    static void metadata(Out json, Map<String, String> metadata) {
        json.open('{');
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            json.anyName(entry.getKey()).string(entry.getValue());
        }
        json.close('}');
    }

    static Map<String, String> readMetadata(JsonParser json) throws IOException {
        Map<String, String> metadata = new TreeMap<>();
        RecordCodec.expect(json, json.currentToken(), JsonToken.START_OBJECT);
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String key = json.currentName();
            json.nextToken();
            metadata.put(key, json.getText());
        }
        return metadata;
    }

    static Hold readHold(JsonParser json) throws IOException {
        return Fields.of(json).hold();
    }

    static Waiter readWaiter(JsonParser json) throws IOException {
        return Fields.of(json).waiter();
    }

    /** The fields of one object as they come, in any order. */
    private static final class Fields {
        private @Nullable LeaseId leaseId;
        private String owner = "";
        private String mode = "";
        private int limit = 1;
        private List<LockPath> paths = List.of(LockPath.WHOLE);
        private Token token = Token.NONE;
        private Instant grantedAt = Instant.EPOCH;
        private @Nullable Instant renewedAt;
        private Instant expiresAt = Instant.EPOCH;
        private Duration lease = Duration.ZERO;
        private Duration renewEvery = Duration.ZERO;
        private Duration minHold = Duration.ZERO;
        private String reason = "";
        private String account = "";
        private String accountGroup = "";
        private Map<String, String> metadata = Map.of();
        private Hold.Phase phase = Hold.Phase.HELD;
        private Optional<Fields> ticket = Optional.empty();
        private boolean stale;
        private @Nullable EngineId engine;
        private Duration claimWithin = Duration.ZERO;
        private Instant since = Instant.EPOCH;
        private boolean missed;

        static Fields of(JsonParser json) throws IOException {
            RecordCodec.expect(json, json.currentToken(), JsonToken.START_OBJECT);
            Fields fields = new Fields();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String field = json.currentName();
                json.nextToken();
                fields.take(field, json);
            }
            return fields;
        }

        private void take(String field, JsonParser json) throws IOException {
            switch (field) {
                case "lease_id" -> leaseId = new LeaseId(json.getText());
                case "owner" -> owner = json.getText();
                case "mode" -> mode = json.getText();
                case "limit" -> limit = json.getIntValue();
                case "paths" -> paths = paths(json);
                case "token" -> token = new Token(json.getLongValue());
                case "granted_at" -> grantedAt = Times.ofMicros(json.getLongValue());
                case "renewed_at" -> renewedAt = Times.ofMicros(json.getLongValue());
                case "expires_at" -> expiresAt = Times.ofMicros(json.getLongValue());
                case "lease" -> lease = Times.ofMicrosLong(json.getLongValue());
                case "renew_every" -> renewEvery = Times.ofMicrosLong(json.getLongValue());
                case "min_hold" -> minHold = Times.ofMicrosLong(json.getLongValue());
                case "reason" -> reason = json.getText();
                case "account" -> account = json.getText();
                case "account_group" -> accountGroup = json.getText();
                case "metadata" -> metadata = readMetadata(json);
                case "phase" -> phase = Hold.Phase.valueOf(json.getText().toUpperCase(Locale.ROOT));
                case "ticket" -> ticket = Optional.of(Fields.of(json));
                case "stale" -> stale = json.getBooleanValue();
                case "engine" -> engine = new EngineId(json.getText());
                case "claim_within" -> claimWithin = Times.ofMicrosLong(json.getLongValue());
                case "since" -> since = Times.ofMicros(json.getLongValue());
                case "missed" -> missed = json.getBooleanValue();
                default -> json.skipChildren(); // new fields belong at the top level, where they survive
            }
        }

        private static List<LockPath> paths(JsonParser json) throws IOException {
            RecordCodec.expect(json, json.currentToken(), JsonToken.START_ARRAY);
            List<LockPath> paths = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                paths.add(LockPath.of(json.getText()));
            }
            return paths;
        }

        Hold hold() {
            return new Hold(
                    needed(leaseId, "lease_id"),
                    scope(),
                    owner,
                    token,
                    grantedAt,
                    renewedAt == null ? grantedAt : renewedAt,
                    expiresAt,
                    new Terms(lease, renewEvery, minHold, metadata, reason, new Account(account, accountGroup)),
                    phase,
                    ticket.map(place -> place.waiter(needed(leaseId, "lease_id"), scope(), owner)),
                    stale);
        }

        Waiter waiter() {
            return waiter(needed(leaseId, "lease_id"), scope(), owner);
        }

        private Waiter waiter(LeaseId id, Scope wanted, String label) {
            return new Waiter(id, wanted, label, needed(engine, "engine"), claimWithin, since, missed);
        }

        private Scope scope() {
            Mode how = switch (mode) {
                case "exclusive" -> Mode.EXCLUSIVE;
                case "shared" -> Mode.SHARED;
                case "permit" -> Mode.permit(limit);
                default -> throw new IllegalArgumentException("unknown mode '" + mode + "'");
            };
            return paths.size() == 1 ? Scope.of(paths.get(0), how) : new Scope(paths, how);
        }

        private static <T> T needed(@Nullable T value, String field) {
            if (value == null) {
                throw new IllegalArgumentException("field '" + field + "' is missing");
            }
            return value;
        }
    }
}
