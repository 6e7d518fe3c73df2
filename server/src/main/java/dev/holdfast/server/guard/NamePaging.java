package dev.holdfast.server.guard;

import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A part of a list that is sorted by name: names behind this one. */
record NamePaging(int limit, Optional<String> after) {
    /** The query is still to be checked. */
    static NamePaging of(Query query, int most) {
        int limit = Math.toIntExact(query.integer("limit", 1, most).orElse((long) most));
        return new NamePaging(limit, query.text("cursor", text -> text));
    }

    <T> Reply reply(List<T> all, Function<T, String> name, Function<T, Json.Obj> item) {
        List<T> rest = all.stream()
                .filter(one ->
                        after.map(last -> name.apply(one).compareTo(last) > 0).orElse(true))
                .toList();
        List<T> page = rest.subList(0, Math.min(limit, rest.size()));
        Optional<String> next =
                page.size() < rest.size() ? Optional.of(name.apply(page.get(page.size() - 1))) : Optional.empty();
        return Reply.ok(Json.build()
                .with("items", Json.array(page, item))
                .with("next_cursor", next)
                .with("server_time", Rfc3339.text(Instant.now()))
                .build());
    }
}
