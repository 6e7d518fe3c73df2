package dev.holdfast.server.routes;

import dev.holdfast.Holder;
import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.json.JsonText;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** {@code GET /v2/locks}, {@code GET /v2/lock} and {@code POST /v2/fence/check}: who holds what. Always read from the store. */
final class LookRoutes {
    /** Pages looked through for one answer; a filter that finds little then answers with less than asked and a cursor. */
    private static final int MAX_PAGES = 10;

    private final Locks locks;

    LookRoutes(Locks locks) {
        this.locks = locks;
    }

    // ---- one lock

    CompletableFuture<Reply> one(Call call) {
        Query query = call.query();
        LockKey key = LockParameters.lock(query);
        query.check();
        call.require(Role.READ, key.record());
        return view(key.record())
                .thenApply(lock -> about(lock, key.path()))
                .thenApply(lock ->
                        Reply.bytes(200, Reply.JSON, Buffer.buffer(JsonText.bytes(json -> LockJson.lock(json, lock)))));
    }

    /** Of who holds or waits, those who are in the way of this part. */
    private static LockView about(LockView lock, LockPath part) {
        return part.isWhole()
                ? lock
                : new LockView(
                        lock.key(),
                        lock.holders().stream()
                                .filter(holder -> overlaps(holder.paths(), part))
                                .toList(),
                        lock.waiters().stream()
                                .filter(waiter -> overlaps(waiter.paths(), part))
                                .toList(),
                        lock.latestToken(),
                        lock.done(),
                        lock.at());
    }

    private static boolean overlaps(List<LockPath> paths, LockPath part) {
        return paths.stream().anyMatch(part::overlaps);
    }

    CompletableFuture<Reply> fence(Call call) {
        JsonFields fields = call.fields();
        RecordKey key = LockParameters.key(fields);
        long token = fields.integer("fencing_token", 0, Long.MAX_VALUE);
        fields.check();
        call.require(Role.READ, key);
        return view(key)
                .thenApply(lock -> Reply.ok(json -> {
                    json.writeBooleanField(
                            "current",
                            lock.holders().stream()
                                    .anyMatch(holder -> holder.token().value() == token));
                    json.writeNumberField("latest_token", lock.latestToken().value());
                }));
    }

    private CompletableFuture<LockView> view(RecordKey key) {
        return locks.inspector().getAsync(new LockKey(key, LockPath.WHOLE));
    }

    // ---- many locks

    CompletableFuture<Reply> list(Call call) {
        Query query = call.query();
        Optional<String> namespace = LockParameters.namespaceOf(query);
        String prefix = LockParameters.prefix(query);
        Optional<String> owner = query.text("owner", LockParameters::owner);
        Optional<Wanted> state = query.text("state", Wanted::of);
        int limit = LockParameters.limit(query);
        Optional<String> cursor = query.text("cursor", Cursors::decode);
        query.check();
        call.requireRead(namespace);
        Predicate<LockView> wanted = lock -> call.principal().grants().may(Role.READ, lock.key())
                && owner.map(name -> isBy(lock, name)).orElse(true)
                && state.map(it -> it.matches(lock)).orElse(true);
        List<ReadablePart> places =
                ReadablePart.parts(namespace, prefix, call.principal().grants());
        if (places.isEmpty()) {
            return CompletableFuture.completedFuture(page(new Found(List.of(), Optional.empty()), places));
        }
        Place start = cursor.map(text -> Place.of(text, places)).orElseGet(() -> new Place(0, Optional.empty()));
        boolean onlyBusy = state.isPresent() || owner.isPresent();
        Search search = new Search(places, onlyBusy, limit, wanted);
        return search(search, start, new ArrayList<>(), 1)
                .handle((found, failure) -> Cursors.checked(found, failure))
                .thenApply(found -> page(found, places));
    }

    /** What is looked for: one place after the other, free locks only if not {@code onlyBusy}. */
    private record Search(List<ReadablePart> places, boolean onlyBusy, int limit, Predicate<LockView> wanted) {
        /** The next page fills up what is missing, never more. */
        ScanRequest scan(Place at, int found) {
            ReadablePart part = places.get(at.index());
            ScanRequest all =
                    new ScanRequest(part.namespace(), part.prefix(), ScanRequest.Which.ALL, at.cursor(), limit - found);
            return onlyBusy ? all.busy() : all;
        }

        Optional<Place> after(Place at, Optional<String> next) {
            if (next.isPresent()) {
                return Optional.of(new Place(at.index(), next));
            }
            return at.index() + 1 < places.size()
                    ? Optional.of(new Place(at.index() + 1, Optional.empty()))
                    : Optional.empty();
        }
    }

    /**
     * How far a list has come.
     *
     * @param index in which place
     * @param cursor of the store, in that place
     */
    private record Place(int index, Optional<String> cursor) {
        /** Where there are several places, a cursor begins with the one it is in. */
        static Place of(String text, List<ReadablePart> places) {
            if (places.size() == 1) {
                return new Place(0, Optional.of(text));
            }
            String[] parts = text.split("\n", 2);
            int index = places.stream().map(ReadablePart::spelling).toList().indexOf(parts[0]);
            if (index < 0 || parts.length < 2) {
                throw Problem.invalid(
                                "query parameter cursor is not allowed: is not a cursor of this list; leave it out to start"
                                        + " again")
                        .refused();
            }
            return new Place(index, Optional.of(parts[1]).filter(rest -> !rest.isEmpty()));
        }

        String text(List<ReadablePart> places) {
            return places.size() == 1 ? cursor.orElse("") : places.get(index).spelling() + "\n" + cursor.orElse("");
        }
    }

    private record Found(List<LockView> locks, Optional<Place> next) {}

    private CompletableFuture<Found> search(Search search, Place at, List<LockView> found, int pages) {
        return locks.inspector().listAsync(search.scan(at, found.size())).thenCompose((Inspector.Locks page) -> {
            page.locks().stream().filter(search.wanted()).forEach(found::add);
            Optional<Place> next = search.after(at, page.next());
            if (next.isEmpty() || pages == MAX_PAGES || found.size() * 2 >= search.limit()) {
                return CompletableFuture.completedFuture(new Found(found, next));
            }
            return search(search, next.get(), found, pages + 1);
        });
    }

    private static Reply page(Found found, List<ReadablePart> places) {
        return Reply.ok(json -> {
            json.writeArrayFieldStart("items");
            for (LockView lock : found.locks()) {
                LockJson.lock(json, lock);
            }
            json.writeEndArray();
            Cursors.write(json, found.next().map(place -> place.text(places)));
        });
    }

    private static boolean isBy(LockView lock, String owner) {
        return lock.holders().stream().anyMatch(holder -> holder.owner().equals(owner))
                || lock.waiters().stream().anyMatch(waiter -> waiter.owner().equals(owner));
    }

    private enum Wanted {
        BUSY,
        HELD,
        STALE,
        WAITING;

        static Wanted of(String text) {
            return Stream.of(values())
                    .filter(wanted -> wanted.name().toLowerCase(Locale.ROOT).equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("must be busy, held, stale or waiting"));
        }

        boolean matches(LockView lock) {
            return switch (this) {
                case BUSY -> !lock.isFree() || !lock.waiters().isEmpty();
                case HELD -> !lock.isFree();
                case STALE -> lock.holders().stream().anyMatch(Holder::stale);
                case WAITING -> !lock.waiters().isEmpty();
            };
        }
    }
}
