package dev.holdfast.server.http;

import io.vertx.core.http.HttpMethod;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One call of the server.
 *
 * @param path segments as they are, or in braces what may stand there: {@code /v1/{namespace}/lock/{lockName}}
 * @param effect what it does to others, for the audit
 * @param admission asked before any of the body is read; throws {@link Problem.Refused} for who may not send one
 */
public record Route(
        HttpMethod method,
        String path,
        ErrorStyle style,
        BodyKind body,
        Access access,
        Effect effect,
        Consumer<Call> admission,
        RouteHandler handler) {
    /** What a route does. Runs on an event loop: must not block; may throw {@link Problem.Refused}. */
    @FunctionalInterface
    public interface RouteHandler {
        CompletableFuture<Reply> answer(Call call);
    }

    public enum BodyKind {
        NONE,
        JSON,
        /** A JSON object with many entries. */
        BATCH,
        /** A few kilobytes of any type, taken as they are: {@value Route#SMALL_BYTES} at most. */
        SMALL,
        /** A document of any type, taken as it is. Large, so it needs room, and an {@link Route#admission}. */
        DOCUMENT
    }

    public static final int SMALL_BYTES = 64 << 10;

    /** Who may come in at all; the handler still asks for the role it needs. */
    public enum Access {
        /** Everybody, also without credentials. */
        OPEN,
        /** Who is known; the handler must ask for a role. */
        KNOWN,
        /** The same, but wrong credentials are 403 and only missing ones 401, as terraform tells them apart. */
        BASIC
    }

    /** What a route does to others: where the audit is required, what changes or reveals something is written down first. */
    public enum Effect {
        /** It tells what is there, or keeps it as it is: a renewal is no event. */
        LOOKS,
        /** It gives out the contents of a state. */
        REVEALS,
        CHANGES
    }

    /** A call of which nothing special is to be said: a GET looks, all others change something. */
    public Route(HttpMethod method, String path, ErrorStyle style, BodyKind body, Access access, RouteHandler handler) {
        this(
                method,
                path,
                style,
                body,
                access,
                method.equals(HttpMethod.GET) ? Effect.LOOKS : Effect.CHANGES,
                call -> {},
                handler);
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

    public Route styled(ErrorStyle other) {
        return new Route(method, path, other, body, access, effect, admission, handler);
    }

    public Route taking(BodyKind other) {
        return new Route(method, path, style, other, access, effect, admission, handler);
    }

    /** The same, for callers who send Basic credentials. */
    public Route basic() {
        return new Route(method, path, style, body, Access.BASIC, effect, admission, handler);
    }

    public Route open() {
        return new Route(method, path, style, body, Access.OPEN, effect, admission, handler);
    }

    public Route having(Effect other) {
        return new Route(method, path, style, body, access, other, admission, handler);
    }

    /** The same, with a question that comes before the body, such as which role the caller has; the handler still asks its own. */
    public Route admitting(Consumer<Call> question) {
        return new Route(method, path, style, body, access, effect, question, handler);
    }

    public Route handledBy(RouteHandler other) {
        return new Route(method, path, style, body, access, effect, admission, other);
    }
}
