package dev.holdfast.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

final class RequestQuery {
    private final StringBuilder text;
    private char next = '?';

    RequestQuery(String path) {
        text = new StringBuilder(path);
    }

    RequestQuery with(String name, Object value) {
        text.append(next).append(name).append('=').append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
        next = '&';
        return this;
    }

    RequestQuery with(String name, Optional<?> value) {
        return value.isPresent() ? with(name, value.get()) : this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
