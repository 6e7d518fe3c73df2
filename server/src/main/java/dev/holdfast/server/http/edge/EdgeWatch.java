package dev.holdfast.server.http.edge;

import java.time.Duration;

/** Told what the edge does, for metrics and traces. Called on event loops: must be quick and must not throw. */
public interface EdgeWatch {
    /** Hears nothing. */
    EdgeWatch NONE = new EdgeWatch() {};

    /**
     * A request was answered, or its client went away.
     *
     * @param route its template, or {@code unknown}
     * @param took from its head to its answer
     */
    default void answered(String route, String method, int status, Duration took) {}

    /** A request was turned away by a limit on how often its caller may ask. */
    default void limited() {}

    /** A connection was closed because its request arrived too slowly. */
    default void tooSlow() {}

    /** A connection was closed because there are too many. */
    default void tooManyConnections() {}
}
