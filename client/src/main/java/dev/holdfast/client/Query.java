package dev.holdfast.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A path with a query, grown parameter by parameter. */
final class Query {
    private final StringBuilder text;
    private char next = '?';

    Query(String path) {
        text = new StringBuilder(path);
    }

    Query with(String name, Object value) {
        text.append(next).append(name).append('=').append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
        next = '&';
        return this;
    }

    Query with(String name, Optional<?> value) {
        return value.isPresent() ? with(name, value.get()) : this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
