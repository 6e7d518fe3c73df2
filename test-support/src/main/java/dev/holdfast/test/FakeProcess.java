package dev.holdfast.test;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.LockService;
import dev.holdfast.engine.leases.KeptLease;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.util.List;

/** One process that uses locks: an engine on the common store and time, and the client on it. */
final class FakeProcess {
    private final FakeTime time;
    private final Line line = new Line();
    private final FakeMachine machine;
    private final FakeService service;
    private final LockClient client;

    FakeProcess(FakeTime time, MemoryStore store, ClientConfig config) {
        this.time = time;
        this.machine = new FakeMachine(time, config.executor());
        FakeStore own = new FakeStore(store, line, machine);
        this.service = new FakeService(LockService.on(own, machine, config), time);
        this.client = service.client(config);
    }

    LockClient client() {
        return client;
    }

    Line line() {
        return line;
    }

    /** Its leases that nobody has released. */
    List<KeptLease> openLeases() {
        return service.openLeases();
    }

    /** Those of them that hold this lock or a part of it. */
    List<KeptLease> holding(LockKey key) {
        return service.openLeases().stream()
                .filter(lease -> lease.isValid() && lease.key().equals(key.record()))
                .filter(lease -> lease.hold().scope().paths().stream().anyMatch(path -> path.overlaps(key.path())))
                .toList();
    }

    /** Stands still this long, while the others go on; then goes on too. */
    void pause(Duration length) {
        machine.stand();
        time.advance(length);
        time.work().perform(machine::goOn);
    }

    /** Its client is closed; what it held expires. */
    void close() {
        client.close();
    }
}
