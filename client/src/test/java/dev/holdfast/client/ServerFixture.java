package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.Stores;
import dev.holdfast.internal.engine.EngineConfig;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.fixture.StoreFixture;
import dev.holdfast.testkit.process.JavaProcess;
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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Two real server processes on one real PostgreSQL, started once, with a server each for every case that may run at a time. Each
 * process of a test is a client of one of its two servers, over a line of its own, with a token of its own; what is stored is read
 * from the database.
 */
final class ServerFixture implements StoreFixture {
    private static final List<String> OWNERS =
            List.of("alice", "bob", "carol", "dead", "new", "other", "a", "b", "c", "somebody");

    /** As many cases as junit-platform.properties lets run at a time. */
    private static final int AT_A_TIME = 4;

    private static Optional<BlockingQueue<Servers>> idle = Optional.empty();

    /** Two servers, one in each process, on a schema of their own. */
    private record Servers(String url, List<Integer> ports) {}

    private final Servers servers;
    private final List<CuttableLine> lines = new ArrayList<>();
    private int joined;

    ServerFixture() throws IOException, SQLException, InterruptedException {
        servers = idle().take();
        String[] parts = servers.url().split("\\?currentSchema=", 2);
        try (Connection connection = DriverManager.getConnection(
                        parts[0].replaceFirst("postgresql://postgres@", "jdbc:postgresql://"), "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute("truncate " + parts[1] + ".holdfast_lock, " + parts[1] + ".holdfast_event");
        }
    }

    private static synchronized BlockingQueue<Servers> idle() throws IOException {
        if (idle.isEmpty()) {
            Assumptions.assumeTrue(
                    System.getProperty("os.name").equals("Linux")
                            && System.getProperty("os.arch").equals("amd64"),
                    "the PostgreSQL server of these tests is for Linux on amd64");
            PostgresServer database = PostgresServer.builder().quick().start();
            Runtime.getRuntime().addShutdownHook(new Thread(database::close));
            List<String> urls =
                    Stream.generate(database::freshSchema).limit(AT_A_TIME).toList();
            Path file = Files.createTempFile("holdfast", ".yaml");
            Files.writeString(file, tokens());
            List<String> flags =
                    List.of("--port=0", "--config=" + file, "--locks.stale-after=1s", "--metrics.enabled=false");
            List<JavaProcess> processes = List.of(SeveralServers.start(urls, flags), SeveralServers.start(urls, flags));
            List<Integer> first = SeveralServers.ports(processes.get(0));
            List<Integer> second = SeveralServers.ports(processes.get(1));
            BlockingQueue<Servers> started = new ArrayBlockingQueue<>(AT_A_TIME);
            for (int i = 0; i < AT_A_TIME; i++) {
                started.add(new Servers(urls.get(i), List.of(first.get(i), second.get(i))));
            }
            idle = Optional.of(started);
        }
        return idle.get();
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
    public Optional<Joined> join(String owner, EngineConfig config) {
        CuttableLine line =
                new CuttableLine(servers.ports().get(joined++ % servers.ports().size()));
        lines.add(line);
        ServerConfig server = ServerConfig.of("http://127.0.0.1:" + line.port())
                .withToken(token(OWNERS.contains(owner) ? owner : "somebody"));
        ClientConfig client = ClientConfig.DEFAULT
                .withOperationTimeout(config.operationTimeout())
                .withWaiters(config.waitersPerKey(), config.waiters());
        return Optional.of(new Joined(ServerLocks.connect(server, client), line));
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
        idle.orElseThrow().add(servers);
    }
}
