package dev.holdfast.server;

import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.ServerProcess;
import java.io.IOException;
import java.time.Duration;

/** A server in a process of its own, that can be killed, and a client of it. */
record ReplicaProcess(ServerProcess process, Client client) implements AutoCloseable {
    /** Short, so that those who waited at a replica that was killed are soon passed over. */
    private static final Duration KEPT = Duration.ofSeconds(4);

    /** Starts one on this store; returns when it listens. */
    static ReplicaProcess start(String store) {
        return start(store, 0);
    }

    /** The same on a certain port. */
    static ReplicaProcess start(String store, int port) {
        ServerProcess process =
                ServerProcess.start(JavaProgram.of(ReplicaProcess.class).heap("128m"), store, Integer.toString(port));
        return new ReplicaProcess(process, Client.at(process.port()));
    }

    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }

    /** The process: serves the store it is given until it is killed, or whoever started it is gone. */
    public static void main(String[] args) throws IOException {
        try (TestServer server = new Setup()
                .store(args[0])
                .port(Integer.parseInt(args[1]))
                .keepPlace(KEPT)
                .start()) {
            ServerProcess.serve(server.server.port());
        }
    }
}
