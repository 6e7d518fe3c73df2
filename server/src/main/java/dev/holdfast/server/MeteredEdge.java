package dev.holdfast.server;

import dev.holdfast.server.http.edge.EdgeWatch;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.Rejection;
import java.time.Duration;

/** Counts what the edge does. */
final class MeteredEdge implements EdgeWatch {
    private final Meters meters;

    MeteredEdge(Meters meters) {
        this.meters = meters;
    }

    @Override
    public void answered(String route, String method, int status, Duration took) {
        meters.request(route, method, status, took);
        switch (status) {
            case 401, 403 -> meters.rejected(Rejection.AUTH);
            case 413, 414, 431 -> meters.rejected(Rejection.SIZE);
            default -> {}
        }
    }

    @Override
    public void limited() {
        meters.rejected(Rejection.RATE);
    }

    @Override
    public void tooManyConnections() {
        meters.rejected(Rejection.CONNECTIONS);
    }

    @Override
    public void tooSlow() {
        meters.rejected(Rejection.SLOW);
    }
}
