package dev.holdfast.server.guard;

import dev.holdfast.server.http.Cursors;
import dev.holdfast.server.http.Query;
import dev.holdfast.server.http.Reply;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
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
                .filter(one -> after.isEmpty() || name.apply(one).compareTo(after.get()) > 0)
                .toList();
        List<T> page = rest.subList(0, Math.min(limit, rest.size()));
        Optional<String> next =
                page.size() < rest.size() ? Optional.of(name.apply(page.get(page.size() - 1))) : Optional.empty();
        return Reply.ok(json -> {
            JsonText.values(json, "items", page, (out, one) -> item.apply(one).writeTo(out));
            Cursors.writePlain(json, next);
            json.writeStringField("server_time", Rfc3339.text(Instant.now()));
        });
    }
}
