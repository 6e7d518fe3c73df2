package dev.holdfast.dynamodb;

import dev.holdfast.dynamodb.requests.DynamoClients;
import dev.holdfast.dynamodb.requests.TableAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.dynamodb.services.local.main.ServerRunner;
import software.amazon.dynamodb.services.local.server.DynamoDBProxyServer;

/** The DynamoDB Local of this test run, started when first needed, and tables on it. */
public final class Dynamo {
    public static final String REGION = "eu-central-1";

    private static final AtomicInteger TABLES = new AtomicInteger();

    private Dynamo() {}

    /** Started with the first use of it, and not in the processes that only need its address. */
    private static final class Running {
        private static final int PORT = start();
        private static final DynamoDbAsyncClient CLIENT =
                DynamoClients.of(place("none", PORT), Duration.ofSeconds(20), Optional.empty());
    }

    private static int start() {
        System.setProperty("aws.accessKeyId", "test");
        System.setProperty("aws.secretAccessKey", "test");
        try (ServerSocket free = new ServerSocket(0)) {
            int port = free.getLocalPort();
            free.close();
            DynamoDBProxyServer server = ServerRunner.createServerFromCommandLineArgs(
                    new String[] {"-inMemory", "-sharedDb", "-disableTelemetry", "-port", Integer.toString(port)});
            server.start();
            return port;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (Exception e) {
            throw new IllegalStateException("DynamoDB Local does not start", e);
        }
    }

    public static int port() {
        return Running.PORT;
    }

    /** Another client, which nobody disturbs. */
    public static DynamoDbAsyncClient client() {
        return Running.CLIENT;
    }

    public static TableAddress place(String table, int port) {
        return new TableAddress(REGION, table, Optional.of(URI.create("http://127.0.0.1:" + port)));
    }

    public static String url(String table, int port) {
        return place(table, port).url();
    }

    public static String newName() {
        return "locks-" + TABLES.incrementAndGet();
    }

    /** Tables in which nothing ends by the server's own time. */
    public static String freshTable() {
        String name = newName();
        create(name, Map.of("lockId", ScalarAttributeType.S), "lockId");
        createEvents(name);
        return name;
    }

    private static void createEvents(String name) {
        create(
                name + "-events",
                Map.of("log", ScalarAttributeType.S, "number", ScalarAttributeType.N),
                "log",
                "number");
    }

    public static void create(String name, Map<String, ScalarAttributeType> attributes, String... keys) {
        client().createTable(create -> create.tableName(name)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .keySchema(keySchema(keys))
                        .attributeDefinitions(attributes.entrySet().stream()
                                .map(one -> AttributeDefinition.builder()
                                        .attributeName(one.getKey())
                                        .attributeType(one.getValue())
                                        .build())
                                .toList()))
                .join();
    }

    /** The same, with the index for listings. */
    public static String indexedTable() {
        return indexedTable(ProjectionType.ALL, "namespace", "lockName");
    }

    /** With an index of the usual name with these keys, all of them text. */
    public static String indexedTable(ProjectionType projection, String... keys) {
        String name = newName();
        List<AttributeDefinition> attributes = Stream.concat(Stream.of("lockId"), Stream.of(keys))
                .map(key -> AttributeDefinition.builder()
                        .attributeName(key)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .toList();
        client().createTable(create -> create.tableName(name)
                        .billingMode(BillingMode.PAY_PER_REQUEST)
                        .keySchema(keySchema("lockId"))
                        .attributeDefinitions(attributes)
                        .globalSecondaryIndexes(GlobalSecondaryIndex.builder()
                                .indexName(ListingIndex.DEFAULT_NAME)
                                .keySchema(keySchema(keys))
                                .projection(all -> all.projectionType(projection))
                                .build()))
                .join();
        createEvents(name);
        return name;
    }

    public static Optional<GlobalSecondaryIndexDescription> index(String table, String name) {
        return IndexCheck.find(
                client().describeTable(describe -> describe.tableName(table))
                        .join()
                        .table(),
                name);
    }

    private static List<KeySchemaElement> keySchema(String... keys) {
        return IntStream.range(0, keys.length)
                .mapToObj(i -> KeySchemaElement.builder()
                        .attributeName(keys[i])
                        .keyType(i == 0 ? KeyType.HASH : KeyType.RANGE)
                        .build())
                .toList();
    }

    /** The item as it is. */
    public static Map<String, AttributeValue> item(String table, String lockId) {
        return client().getItem(get ->
                        get.tableName(table).consistentRead(true).key(Map.of("lockId", AttributeValue.fromS(lockId))))
                .join()
                .item();
    }
}
