package dev.holdfast.server.http;

import io.vertx.core.http.HttpMethod;
import java.util.concurrent.CompletableFuture;

/**
 * One call of the server.
 *
 * @param method of HTTP
 * @param path segments as they are, or in braces what may stand there: {@code /v1/{namespace}/lock/{lockName}}
 * @param style how its problems are spelled
 * @param body what it takes
 * @param access who may come in at all
 * @param handler what it does
 */
public record Route(
        HttpMethod method, String path, ErrorStyle style, BodyKind body, Access access, RouteHandler handler) {

    /** What a route does. Runs on an event loop: must not block; may throw {@link Problem.Refused}. */
    @FunctionalInterface
    public interface RouteHandler {
        /** The answer, or the failure of the store. */
        CompletableFuture<Reply> answer(Call call);
    }

    /** What a route takes. */
    public enum BodyKind {
        /** Nothing. */
        NONE,
        /** A small JSON object. */
        JSON,
        /** A JSON object with many entries. */
        BATCH,
        /** A document of any type, taken as it is. */
        DOCUMENT
    }

    /** Who may come in at all; the handler still asks for the role it needs. */
    public enum Access {
        /** Everybody, also without credentials. */
        OPEN,
        /** Who is known; the handler must ask for a role. */
        KNOWN,
        /** The same, but wrong credentials are 403 and only missing ones 401, as terraform tells them apart. */
        BASIC
    }

    /** A call without body, for known callers. */
    public static Route get(String path, RouteHandler handler) {
        return new Route(HttpMethod.GET, path, ErrorStyle.PROBLEM, BodyKind.NONE, Access.KNOWN, handler);
    }

    /** A call with a small JSON body, for known callers. */
    public static Route post(String path, RouteHandler handler) {
        return new Route(HttpMethod.POST, path, ErrorStyle.PROBLEM, BodyKind.JSON, Access.KNOWN, handler);
    }

    /** A call with this method and a small JSON body, for known callers. */
    public static Route of(HttpMethod method, String path, RouteHandler handler) {
        return new Route(method, path, ErrorStyle.PROBLEM, BodyKind.JSON, Access.KNOWN, handler);
    }

    /** The same with another style of problems. */
    public Route styled(ErrorStyle other) {
        return new Route(method, path, other, body, access, handler);
    }

    /** The same with another kind of body. */
    public Route taking(BodyKind other) {
        return new Route(method, path, style, other, access, handler);
    }

    /** The same, for callers who send Basic credentials. */
    public Route basic() {
        return new Route(method, path, style, body, Access.BASIC, handler);
    }

    /** The same, open to everybody. */
    public Route open() {
        return new Route(method, path, style, body, Access.OPEN, handler);
    }
}
