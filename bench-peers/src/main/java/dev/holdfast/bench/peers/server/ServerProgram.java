package dev.holdfast.bench.peers.server;

import dev.holdfast.bench.HttpScripts;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.observe.logs.Logging;
import dev.holdfast.server.observe.logs.LoggingConfig;
import dev.holdfast.testkit.servers.MariadbServer;
import dev.holdfast.testkit.servers.Ports;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.slf4j.event.Level;
import redis.embedded.RedisServer;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** The process of one server. Prints {@code ready PID ADDRESS}, then runs until its input ends: until its starter is gone. */
public final class ServerProgram {
    private static final String READY = "ready ";
    private static final Duration START_LIMIT = Duration.ofMinutes(1);

    private ServerProgram() {}

    /** Started with the kind of server, a directory for its data, and for a server of ours the URL of the store. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[1]);
        AutoCloseable server = switch (args[0]) {
            case "postgres" -> postgres();
            case "redis" -> redis();
            case "dynamo" -> dynamo();
            case "zookeeper" -> zookeeper(directory);
            case "mariadb" -> mariadb();
            case "http" -> http(args[2]);
            default -> throw new IllegalArgumentException("no server '" + args[0] + "'");
        };
        System.in.readAllBytes(); // until its end; nothing is said to it
        server.close();
        Runtime.getRuntime().halt(0); // some of them leave threads behind
    }

    private static void ready(long pid, String address) {
        System.out.println(READY + pid + " " + address);
    }

    private static void ready(String address) {
        ready(ProcessHandle.current().pid(), address);
    }

    private static AutoCloseable postgres() throws SQLException, IOException {
        PostgresServer server = PostgresServer.builder()
                .durable()
                .with("shared_buffers", "256MB")
                .with("max_wal_size", "4GB")
                .start();
        try (Connection connection = server.connect("postgres");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            // It runs apart from this process; the one that answers was started by the first of them.
            ready(
                    ProcessTime.parent(row.getLong(1)),
                    "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        }
        return server;
    }

    private static AutoCloseable mariadb() {
        MariadbServer server = MariadbServer.durable();
        String database = server.freshDatabase();
        ready(server.url(database));
        return server;
    }

    private static AutoCloseable redis() throws IOException {
        int port = Ports.free();
        RedisServer server = RedisServer.newRedisServer()
                .port(port)
                .setting("save \"\"")
                .setting("appendonly no")
                .build();
        server.start();
        ready(Integer.toString(port));
        return server::stop;
    }

    private static AutoCloseable dynamo() throws Exception {
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
        int port = Ports.free();
        DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(
                new String[] {"-inMemory", "-sharedDb", "-disableTelemetry", "-port", Integer.toString(port)});
        server.start();
        ready(Integer.toString(port));
        return server::stop;
    }

    private static AutoCloseable zookeeper(Path directory)
            throws IOException, QuorumPeerConfig.ConfigException, InterruptedException {
        System.setProperty("zookeeper.admin.enableServer", "false");
        int port = Ports.free();
        Properties settings = new Properties();
        settings.setProperty("dataDir", Files.createDirectories(directory).toString());
        settings.setProperty("clientPort", Integer.toString(port));
        settings.setProperty("clientPortAddress", "127.0.0.1");
        settings.setProperty("maxClientCnxns", "0");
        QuorumPeerConfig quorum = new QuorumPeerConfig();
        quorum.parseProperties(settings);
        ServerConfig config = new ServerConfig();
        config.readFrom(quorum);
        Running zookeeper = new Running(config);
        DaemonThreads.start("zookeeper", zookeeper);
        awaitMode(port);
        ready(Integer.toString(port));
        return zookeeper::stop;
    }

    /** It listens before it serves; asked for its state it says in which mode, once it does. */
    private static void awaitMode(int port) throws IOException, InterruptedException {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (System.nanoTime() - end < 0) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
                String state = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                if (state.contains("Mode: ")) {
                    return;
                }
            } catch (ConnectException e) {
                Thread.onSpinWait(); // not there yet
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new IOException("ZooKeeper did not begin to serve");
    }

    /** ZooKeeper's own program, which runs until it is told to stop. */
    private static final class Running extends ZooKeeperServerMain implements Runnable {
        private final ServerConfig config;

        Running(ServerConfig config) {
            this.config = config;
        }

        @Override
        public void run() {
            try {
                runFromConfig(config);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        void stop() {
            shutdown();
        }
    }

    /** Ours, with an endpoint that does nothing. */
    private static AutoCloseable http(String store) throws IOException {
        Logging.configure(new LoggingConfig(LoggingConfig.Format.CONSOLE, Level.ERROR, Optional.empty()));
        HoldfastServer server = HttpScripts.server(store);
        ready("http://127.0.0.1:" + server.port());
        return server;
    }
}
