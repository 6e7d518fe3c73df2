package dev.holdfast.server.routes;

import dev.holdfast.server.observe.audit.AuditJson;
import dev.holdfast.spi.EventLog.StoredEvent;
import io.vertx.core.buffer.Buffer;

/**
 * An event and how the stream tells it.
 *
 * @param text the same for every client: written once, however many listen; nobody may change it
 */
record EventText(StoredEvent event, Buffer text) {
    static EventText of(StoredEvent event) {
        return new EventText(event, text(event));
    }

    static Buffer text(StoredEvent event) {
        return Buffer.buffer("id: " + event.number() + "\nevent: "
                + event.event().type().label() + "\ndata: " + AuditJson.of(event) + "\n\n");
    }

    long number() {
        return event.number();
    }
}
