package dev.holdfast.server.routes;

import dev.holdfast.Inspector;
import dev.holdfast.LockView;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Names;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Cursors;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.MemoryPermits;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.survey.LockFilter;
import dev.holdfast.server.survey.LockOrder;
import dev.holdfast.server.survey.LockSurvey;
import dev.holdfast.server.survey.ReadablePart;
import dev.holdfast.server.survey.SharedAnswers;
import dev.holdfast.server.survey.SmallestFew;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.json.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/**
 * {@code GET /v2/locks}, {@code GET /v2/lock} and {@code POST /v2/fence/check}: who holds what. Read from the store; what only all
 * locks together tell, at most some seconds old.
 */
final class LookRoutes {
    /** Pages looked through for one answer; a filter that finds little then answers with less than asked and a cursor. */
    private static final int MAX_PAGES = 10;

    /** Namespaces that are counted one by one in an answer. */
    private static final int MAX_NAMESPACES = 200;

    private final LockCalls locks;
    /** Each of them reads all locks, page by page. */
    private final MemoryPermits walks = new MemoryPermits(8, 4);

    private final SharedAnswers<Question, SurveyResult> surveys = new SharedAnswers<>(System::nanoTime);

    LookRoutes(LockCalls locks) {
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
                        Reply.bytes(200, Reply.JSON, Reply.line(JsonText.bytes(json -> LockJson.lock(json, lock)))));
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
        LockFilter filter = new LockFilter(
                query.text("owner", LockParameters::owner),
                query.text("state", LockFilter.State::of),
                query.text("mode", LockFilter::mode),
                query.text("q", text -> LockFilter.words(Names.text("q", text, 0)))
                        .orElse(List.of()));
        LockOrder order = query.text("order", LockOrder::of).orElse(LockOrder.KEY);
        boolean count = query.text("count", LockParameters::truth).orElse(false);
        int limit = LockParameters.limit(query);
        Optional<String> cursor = query.text("cursor", Cursors::decode);
        if (order != LockOrder.KEY && cursor.isPresent()) {
            query.wrong("query parameter cursor is not allowed: only order=key has more than one page");
        }
        query.check();
        call.requireRead(namespace);
        Grants grants = call.principal().grants();
        Predicate<LockView> wanted = lock -> grants.may(Role.READ, lock.key()) && filter.test(lock);
        List<ReadablePart> places = ReadablePart.parts(namespace, prefix, grants);
        Question question = new Question(ReadablePart.places(grants), namespace, prefix, filter, order, limit);
        if (order != LockOrder.KEY) {
            return all(call, question, places, wanted)
                    .thenApply(all -> page(all.first(), Optional.empty(), Optional.of(all)));
        }
        CompletableFuture<Optional<SurveyResult>> counted = count
                ? all(call, question.withoutRows(), places, wanted).thenApply(Optional::of)
                : CompletableFuture.completedFuture(Optional.empty());
        return pageOf(places, cursor, new Search(places, filter.onlyBusy(), limit, wanted))
                .thenCombine(
                        counted,
                        (found, all) -> page(found.locks(), found.next().map(place -> place.text(places)), all));
    }

    private CompletableFuture<ListedPage> pageOf(List<ReadablePart> places, Optional<String> cursor, Search search) {
        if (places.isEmpty()) {
            return CompletableFuture.completedFuture(new ListedPage(List.of(), Optional.empty()));
        }
        Place start = cursor.map(text -> Place.of(text, places)).orElseGet(() -> new Place(0, Optional.empty()));
        return search(search, start, new ArrayList<>(), 1).exceptionally(failure -> {
            throw Cursors.refused(failure);
        });
    }

    /** What was asked about all locks, and by whom as far as that matters: who asks the same within a moment gets the same answer. */
    private record Question(
            Set<String> readable,
            Optional<String> namespace,
            String prefix,
            LockFilter filter,
            LockOrder order,
            int limit) {
        Question withoutRows() {
            return new Question(readable, namespace, prefix, filter, LockOrder.KEY, 0);
        }
    }

    /**
     * What only all locks together tell.
     *
     * @param first the first ones, in the order that was asked for
     * @param complete whether all were looked at
     * @param namespaces how many match in each
     */
    private record SurveyResult(List<LockView> first, int total, boolean complete, Map<String, Integer> namespaces) {}

    private CompletableFuture<SurveyResult> all(
            Call call, Question question, List<ReadablePart> places, Predicate<LockView> wanted) {
        return surveys.get(
                question,
                () -> walks.run(call, () -> {
                    SmallestFew<LockView> first =
                            new SmallestFew<>(question.limit(), question.order().comparator());
                    Map<String, Integer> namespaces = new TreeMap<>();
                    return new LockSurvey(locks.inspector())
                            .look(places, question.filter().onlyBusy(), lock -> {
                                if (wanted.test(lock)) {
                                    namespaces.merge(lock.key().namespace(), 1, Integer::sum);
                                    if (question.limit() > 0) {
                                        first.add(lock);
                                    }
                                }
                            })
                            .thenApply(complete -> new SurveyResult(
                                    first.list(),
                                    namespaces.values().stream()
                                            .mapToInt(it -> it)
                                            .sum(),
                                    complete,
                                    namespaces));
                }));
    }

    /** What is looked for: one place after the other, free locks only if not {@code onlyBusy}. */
    private record Search(List<ReadablePart> places, boolean onlyBusy, int limit, Predicate<LockView> wanted) {
        /** The next page fills up what is missing, never more. */
        ScanRequest scan(Place at, int found) {
            return places.get(at.index()).scan(onlyBusy, at.cursor(), limit - found);
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
                        "query parameter cursor is not a cursor of this list; leave it out to start again");
            }
            return new Place(index, Optional.of(parts[1]).filter(rest -> !rest.isEmpty()));
        }

        String text(List<ReadablePart> places) {
            return places.size() == 1 ? cursor.orElse("") : places.get(index).spelling() + "\n" + cursor.orElse("");
        }
    }

    private record ListedPage(List<LockView> locks, Optional<Place> next) {}

    private CompletableFuture<ListedPage> search(Search search, Place at, List<LockView> found, int pages) {
        return locks.inspector().listAsync(search.scan(at, found.size())).thenCompose((Inspector.Locks page) -> {
            page.locks().stream().filter(search.wanted()).forEach(found::add);
            Optional<Place> next = search.after(at, page.next());
            if (next.isEmpty() || pages == MAX_PAGES || found.size() * 2 >= search.limit()) {
                return CompletableFuture.completedFuture(new ListedPage(found, next));
            }
            return search(search, next.get(), found, pages + 1);
        });
    }

    private static Reply page(List<LockView> locks, Optional<String> next, Optional<SurveyResult> all) {
        return Reply.ok(json -> {
            JsonText.values(json, "items", locks, LockJson::lock);
            Cursors.write(json, next);
            if (all.isPresent()) {
                json.writeNumberField("total", all.get().total());
                json.writeBooleanField("total_complete", all.get().complete());
                List<Map.Entry<String, Integer>> first = all.get().namespaces().entrySet().stream()
                        .limit(MAX_NAMESPACES)
                        .toList();
                JsonText.objects(json, "namespaces", first, (out, one) -> {
                    out.writeStringField("namespace", one.getKey());
                    out.writeNumberField("locks", one.getValue());
                });
            }
        });
    }
}
