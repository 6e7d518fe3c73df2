package dev.holdfast.bench.peers.contender;

import dev.holdfast.ClientConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Everybody who is compared. */
public enum ComparedLibrary {
    RAW("raw upsert + update", Server.POSTGRES),
    RAW_32("raw, pool of 32", Server.POSTGRES),
    HOLDFAST("Holdfast, history on", Server.POSTGRES),
    HOLDFAST_QUIET("Holdfast, history off", Server.POSTGRES),
    HOLDFAST_HTTP("Holdfast, server over HTTP", Server.HTTP),
    SHEDLOCK("ShedLock JDBC", Server.POSTGRES),
    SPRING_JDBC("Spring Integration JDBC", Server.POSTGRES),
    SPRING_REDIS("Spring Integration Redis", Server.REDIS),
    REDISSON("Redisson", Server.REDIS),
    HOLDFAST_DYNAMO("Holdfast on DynamoDB", Server.DYNAMO),
    AWS_CLIENT("AWS lock client", Server.DYNAMO),
    CURATOR("Curator", Server.ZOOKEEPER),
    RAW_MARIADB("raw upsert + update on MariaDB", Server.MARIADB),
    HOLDFAST_MARIADB("Holdfast on MariaDB", Server.MARIADB),
    HOLDFAST_SQLITE("Holdfast on SQLite", Server.FILE);

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

    private final String label;
    private final Server server;

    ComparedLibrary(String label, Server server) {
        this.label = label;
        this.server = server;
    }

    /** What tables and charts call it. */
    public String label() {
        return label;
    }

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

    /** Those whose waiting for a lock is measured; some are told, some ask again and again. */
    public static List<ComparedLibrary> waiting() {
        return List.of(
                RAW,
                HOLDFAST,
                HOLDFAST_HTTP,
                SPRING_JDBC,
                SPRING_REDIS,
                REDISSON,
                HOLDFAST_DYNAMO,
                AWS_CLIENT,
                CURATOR);
    }

    /** Those whose renewal of a lease by a call is measured. */
    public static List<ComparedLibrary> renewing() {
        return List.of(RAW, HOLDFAST, HOLDFAST_HTTP, SHEDLOCK, SPRING_JDBC, SPRING_REDIS, AWS_CLIENT);
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
