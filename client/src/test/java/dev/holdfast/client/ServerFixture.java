package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.model.LockKey;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.fixture.StoreFixture;
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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Two servers on one real PostgreSQL. Each process of a test is a client of one of them, over a line of its own, with a token of its
 * own; what is stored is read from the database. The servers of a case are for the next one too, so there are as many pairs as cases
 * run side by side, each on a schema of its own.
 */
final class ServerFixture implements StoreFixture {
    private static final List<String> OWNERS =
            List.of("alice", "bob", "carol", "dead", "new", "other", "a", "b", "c", "somebody");

    private static final Queue<Replicas> IDLE = new ConcurrentLinkedQueue<>();
    private static Optional<PostgresServer> database = Optional.empty();

    private record Replicas(String url, List<HoldfastServer> servers) {}

    private final Replicas replicas;
    private final List<CuttableLine> lines = new ArrayList<>();
    private int joined;

    ServerFixture() throws IOException, SQLException {
        Replicas idle = IDLE.poll();
        replicas = idle == null ? started() : idle;
        String[] parts = replicas.url().split("\\?currentSchema=", 2);
        try (Connection connection = DriverManager.getConnection(
                        parts[0].replaceFirst("postgresql://postgres@", "jdbc:postgresql://"), "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute("truncate " + parts[1] + ".holdfast_lock, " + parts[1] + ".holdfast_event");
        }
    }

    private static synchronized PostgresServer database() {
        if (database.isEmpty()) {
            Assumptions.assumeTrue(
                    System.getProperty("os.name").equals("Linux")
                            && System.getProperty("os.arch").equals("amd64"),
                    "the PostgreSQL server of these tests is for Linux on amd64");
            PostgresServer started = PostgresServer.builder().quick().start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close));
            database = Optional.of(started);
        }
        return database.get();
    }

    private static Replicas started() throws IOException {
        String url = database().freshSchema();
        Path file = Files.createTempFile("holdfast", ".yaml");
        Files.writeString(file, tokens());
        // Else what a case leaves to be cleaned up is gone when a server, which does it soon after its start, was
        // faster.
        String seldom = "--locks.cleanup.interval=24h";
        List<HoldfastServer> servers = Stream.generate(
                        () -> LocalServer.with("--store=" + url, "--config=" + file, "--locks.stale-after=1s", seldom))
                .limit(2)
                .toList();
        servers.forEach(ServerFixture::warm);
        return new Replicas(url, servers);
    }

    /** On a busy machine the first requests to a young server take longer than a test lets its client wait. */
    private static void warm(HoldfastServer server) {
        ServerConfig config = ServerConfig.of(LocalServer.url(server)).withToken(token("somebody"));
        ClientConfig patient = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofMinutes(1));
        try (LockClient client = ServerLocks.connect(config, patient).client(patient)) {
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
        HoldfastServer replica =
                replicas.servers().get(joined++ % replicas.servers().size());
        CuttableLine line = new CuttableLine(replica.port());
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
        return Stores.open(replicas.url());
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
        IDLE.add(replicas);
    }
}
