package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.process.ServerProcess;
import dev.holdfast.testkit.servers.CuttableLine;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * Two real server processes on one real PostgreSQL, started once. Each process of a test is a client of one of them, over a line
 * of its own, with a token of its own; what is stored is read from the database.
 */
final class ServerFixture implements StoreFixture {
    private static final List<String> OWNERS =
            List.of("alice", "bob", "carol", "dead", "new", "other", "a", "b", "c", "somebody");

    private static Optional<Servers> running = Optional.empty();

    private record Servers(PostgresServer database, String url, List<ServerProcess> processes) {}

    private final Servers servers;
    private final List<CuttableLine> lines = new ArrayList<>();
    private int joined;

    ServerFixture() throws IOException, SQLException {
        servers = servers();
        String[] parts = servers.url().split("\\?currentSchema=", 2);
        try (Connection connection = DriverManager.getConnection(
                        parts[0].replaceFirst("postgresql://postgres@", "jdbc:postgresql://"), "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute("truncate " + parts[1] + ".holdfast_lock, " + parts[1] + ".holdfast_event");
        }
    }

    private static synchronized Servers servers() throws IOException {
        if (running.isEmpty()) {
            Assumptions.assumeTrue(
                    System.getProperty("os.name").equals("Linux")
                            && System.getProperty("os.arch").equals("amd64"),
                    "the PostgreSQL server of these tests is for Linux on amd64");
            PostgresServer database = PostgresServer.builder().quick().start();
            Runtime.getRuntime().addShutdownHook(new Thread(database::close));
            String url = database.freshSchema();
            Path file = Files.createTempFile("holdfast", ".yaml");
            Files.writeString(file, tokens());
            List<String> flags = List.of(
                    "--port=0",
                    "--store=" + url,
                    "--config=" + file,
                    "--locks.stale-after=1s",
                    "--metrics.enabled=false");
            List<ServerProcess> processes = List.of(ServerProgram.start(flags), ServerProgram.start(flags));
            processes.forEach(ServerFixture::warm);
            running = Optional.of(new Servers(database, url, processes));
        }
        return running.get();
    }

    /** On a busy machine the first requests to a young server take longer than a test lets its client wait. */
    private static void warm(ServerProcess process) {
        ServerConfig server =
                ServerConfig.of("http://127.0.0.1:" + process.port()).withToken(token("somebody"));
        ClientConfig patient = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofMinutes(1));
        try (LockClient client = ServerLocks.connect(server, patient).client(patient)) {
            client.inspect().get(LockKey.of("default", "warm"));
        }
    }

    private static String tokens() {
        StringBuilder yaml = new StringBuilder("auth.tokens:\n");
        for (String owner : OWNERS) {
            yaml.append("  - {id: ")
                    .append(owner)
                    .append(", sha256: '")
                    .append(sha256(token(owner)))
                    .append("', roles: {'*': [admin]}, group: nodes}\n"); // what one took, another may ask for again
        }
        return yaml.toString();
    }

    private static String token(String owner) {
        return "hf_token-of-" + owner;
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Optional<JoinedClient> join(String owner, EngineConfig config) {
        ServerProcess process =
                servers.processes().get(joined++ % servers.processes().size());
        CuttableLine line = new CuttableLine(process.port());
        lines.add(line);
        ServerConfig server = ServerConfig.of("http://127.0.0.1:" + line.port())
                .withToken(token(OWNERS.contains(owner) ? owner : "somebody"));
        ClientConfig client = ClientConfig.DEFAULT
                .withOperationTimeout(config.operationTimeout())
                .withWaiters(config.waitersPerKey(), config.waiters());
        return Optional.of(new JoinedClient(ServerLocks.connect(server, client), line));
    }

    @Override
    public RecordStore open() {
        return Stores.open(servers.url());
    }

    @Override
    public Machine machine() {
        return new ThreadMachine("test");
    }

    @Override
    public void advance(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        lines.forEach(CuttableLine::close);
    }
}
