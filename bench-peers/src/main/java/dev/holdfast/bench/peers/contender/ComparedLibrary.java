package dev.holdfast.bench.peers.contender;

import dev.holdfast.ClientConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Everybody who is compared. */
public enum ComparedLibrary {
    RAW("raw upsert + update", Server.POSTGRES, Waits.POLLS, Renews.BY_CALL),
    RAW_32("raw, pool of 32", Server.POSTGRES, Waits.NOT, Renews.NOT),
    HOLDFAST("Holdfast, history on", Server.POSTGRES, Waits.IS_TOLD, Renews.BY_CALL),
    HOLDFAST_QUIET("Holdfast, history off", Server.POSTGRES, Waits.NOT, Renews.NOT),
    HOLDFAST_HTTP("Holdfast, server over HTTP", Server.HTTP, Waits.IS_TOLD, Renews.BY_CALL),
    SHEDLOCK("ShedLock JDBC", Server.POSTGRES, Waits.NOT, Renews.BY_CALL),
    SPRING_JDBC("Spring Integration JDBC", Server.POSTGRES, Waits.POLLS, Renews.BY_CALL),
    SPRING_REDIS("Spring Integration Redis", Server.REDIS, Waits.IS_TOLD, Renews.BY_CALL),
    REDISSON("Redisson", Server.REDIS, Waits.IS_TOLD, Renews.NOT),
    HOLDFAST_DYNAMO("Holdfast on DynamoDB", Server.DYNAMO, Waits.POLLS, Renews.NOT),
    AWS_CLIENT("AWS lock client", Server.DYNAMO, Waits.POLLS, Renews.BY_CALL),
    CURATOR("Curator", Server.ZOOKEEPER, Waits.IS_TOLD, Renews.NOT),
    RAW_MARIADB("raw upsert + update on MariaDB", Server.MARIADB, Waits.NOT, Renews.NOT),
    HOLDFAST_MARIADB("Holdfast on MariaDB", Server.MARIADB, Waits.NOT, Renews.NOT),
    HOLDFAST_SQLITE("Holdfast on SQLite", Server.FILE, Waits.NOT, Renews.NOT);

    /** What it needs to run. */
    public enum Server {
        POSTGRES,
        HTTP,
        REDIS,
        DYNAMO,
        ZOOKEEPER,
        MARIADB,
        FILE
    }

    /** How it waits for a lock, as far as that is measured. */
    public enum Waits {
        IS_TOLD,
        POLLS,
        NOT
    }

    /** Whether a lease is renewed by a call, as far as that is measured. */
    public enum Renews {
        BY_CALL,
        NOT
    }

    private final String label;
    private final Server server;
    private final Waits waits;
    private final Renews renews;

    ComparedLibrary(String label, Server server, Waits waits, Renews renews) {
        this.label = label;
        this.server = server;
        this.waits = waits;
        this.renews = renews;
    }

    /** What tables and charts call it. */
    public String label() {
        return label;
    }

    /** What it needs. */
    public Server server() {
        return server;
    }

    public boolean isOurs() {
        return name().startsWith("HOLDFAST");
    }

    /** Those that are measured uncontended beside each other. */
    public static List<ComparedLibrary> uncontended() {
        return Arrays.stream(values())
                .filter(one -> one.server != Server.MARIADB && one.server != Server.FILE)
                .toList();
    }

    /** Those that wait for a lock. */
    public static List<ComparedLibrary> waiting() {
        return Arrays.stream(values()).filter(one -> one.waits != Waits.NOT).toList();
    }

    /** Those that renew a lease when told to. */
    public static List<ComparedLibrary> renewing() {
        return Arrays.stream(values()).filter(one -> one.renews != Renews.NOT).toList();
    }

    /** In arguments and in JSON. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static ComparedLibrary of(String id) {
        return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /**
     * Connects, and makes its tables if they are missing.
     *
     * @param address a JDBC URL, the port of Redis, DynamoDB or ZooKeeper, the URL of a server of ours, or a file
     * @param connections of its pool, where it has one
     */
    public Contender connect(String address, int connections) throws Exception {
        return switch (this) {
            case RAW -> new RawContender(RawUpserts.onPostgres(address, connections));
            case RAW_32 -> new RawContender(RawUpserts.onPostgres(address, Math.min(2 * connections, 32)));
            case HOLDFAST -> HoldfastContender.onPostgres(address, connections, ClientConfig.DEFAULT);
            case HOLDFAST_QUIET ->
                HoldfastContender.onPostgres(
                        address,
                        connections,
                        ClientConfig.DEFAULT.withNamespace("quiet").withHistory(false));
            case HOLDFAST_HTTP, HOLDFAST_MARIADB -> HoldfastContender.at(address);
            case SHEDLOCK -> new ShedLockContender(address, connections);
            case SPRING_JDBC -> SpringContender.onPostgres(address, connections);
            case SPRING_REDIS -> SpringContender.onRedis(Integer.parseInt(address));
            case REDISSON -> new RedissonContender(Integer.parseInt(address));
            case HOLDFAST_DYNAMO ->
                HoldfastContender.onDynamo(
                        "dynamodb://test:test@eu-central-1/locks?endpoint=http://127.0.0.1:" + address);
            case AWS_CLIENT -> new AwsContender(Integer.parseInt(address));
            case CURATOR -> new CuratorContender(Integer.parseInt(address));
            case RAW_MARIADB ->
                new RawContender(RawUpserts.onMariadb(
                        address.replace("mariadb://root@", "jdbc:mariadb://") + "?user=root", connections));
            case HOLDFAST_SQLITE -> HoldfastContender.at("sqlite:" + address + "?mode=exclusive");
        };
    }
}
