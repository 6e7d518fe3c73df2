package dev.holdfast.state.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.state.document.StateDiff.Kind;
import dev.holdfast.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the difference of two states")
final class StateDiffTest {
    private static StateDiff diff(String from, String to) {
        return StateDiff.between(from.getBytes(StandardCharsets.UTF_8), to.getBytes(StandardCharsets.UTF_8));
    }

    private static String terraform(String resources, String outputs) {
        return "{\"version\":4,\"terraform_version\":\"1.9.0\",\"serial\":1,\"lineage\":\"l\",\"outputs\":{" + outputs
                + "},\"resources\":[" + resources + "]}";
    }

    private static String resource(String mode, String type, String name, String instances) {
        return "{\"mode\":\"" + mode + "\",\"type\":\"" + type + "\",\"name\":\"" + name
                + "\",\"provider\":\"p\",\"instances\":[" + instances + "]}";
    }

    @Test
    @DisplayName("is told by terraform resource, instance and output")
    void terraform() {
        String before = terraform(
                resource(
                                "managed",
                                "aws_subnet",
                                "a",
                                "{\"index_key\":0,\"attributes\":{\"cidr\":\"10.0.0.0/24\"}},{\"index_key\":1,\"attributes\":{\"cidr\":\"10.0.1.0/24\"}}")
                        + "," + resource("data", "aws_ami", "b", "{\"attributes\":{\"id\":\"1\"}}"),
                "\"url\":{\"value\":\"a\",\"type\":\"string\"}");
        String after = terraform(
                "{\"module\":\"module.net\","
                        + resource("managed", "aws_vpc", "v", "{\"index_key\":\"eu\",\"attributes\":{}}")
                                .substring(1) + ","
                        + resource(
                                "managed",
                                "aws_subnet",
                                "a",
                                "{\"attributes\":{\"cidr\":\"10.0.0.0/24\"}, \"index_key\":0},{\"index_key\":1,\"attributes\":{\"cidr\":\"10.9.1.0/24\",\"tags\":[\"x\"]}}"),
                "\"url\":{\"value\":\"b\",\"type\":\"string\"}");
        StateDiff diff = diff(before, after);
        assertThat(diff.changes())
                .extracting(it -> it.kind() + " " + it.address())
                .containsExactly(
                        "CHANGED aws_subnet.a[1]",
                        "REMOVED data.aws_ami.b",
                        "ADDED module.net.aws_vpc.v[\"eu\"]",
                        "CHANGED output.url");
        assertThat(diff.changes().get(0).attributes())
                .containsExactly(
                        new StateDiff.Attribute(
                                "attributes.cidr", Optional.of("\"10.0.1.0/24\""), Optional.of("\"10.9.1.0/24\"")),
                        new StateDiff.Attribute("attributes.tags[0]", Optional.empty(), Optional.of("\"x\"")));
        assertThat(diff(before, before).isEmpty()).isTrue();
        assertThat(diff.complete()).isTrue();
    }

    @Test
    @DisplayName("never shows a secret: neither what terraform marks, nor what is named like one")
    void secrets() {
        String sensitive = "\"sensitive_attributes\":[[{\"type\":\"get_attr\",\"value\":\"login\"}],"
                + "[{\"type\":\"get_attr\",\"value\":\"rules\"},{\"type\":\"index\",\"value\":{\"value\":1,\"type\":\"number\"}}]]";
        String before = terraform(
                resource(
                        "managed",
                        "db",
                        "a",
                        "{\"attributes\":{\"login\":\"hunter1\",\"rules\":[\"open\",\"hunter1\"],"
                                + "\"master_password\":\"hunter1\",\"access_key\":\"hunter1\",\"auth\":{\"apiToken\":{\"x\":\"hunter1\"}},"
                                + "\"monkey\":\"visible1\"},\"private\":\"hunter1\"," + sensitive + "}"),
                "\"conn\":{\"value\":\"hunter1\",\"sensitive\":true},\"db_password\":{\"value\":\"hunter1\"}");
        String after = before.replace("hunter1", "hunter2")
                .replace("visible1", "visible2")
                .replace("open", "shut");
        StateDiff diff = diff(before, after);
        assertThat(diff.toString())
                .doesNotContain("hunter")
                .contains("visible2")
                .contains("shut");
        assertThat(diff.changes()).hasSize(3);
        assertThat(diff.changes().get(0).attributes())
                .extracting(StateDiff.Attribute::path)
                .containsExactlyInAnyOrder(
                        "attributes.login",
                        "attributes.rules[0]",
                        "attributes.rules[1]",
                        "attributes.master_password",
                        "attributes.access_key",
                        "attributes.auth.apiToken.x",
                        "attributes.monkey",
                        "private");
        // A mark that only one of the two has counts for both.
        assertThat(diff(
                                before.replace(sensitive, "\"x\":1")
                                        .replace("\"sensitive\":true", "\"sensitive\":false"),
                                after)
                        .toString())
                .doesNotContain("hunter");
    }

    @Test
    @DisplayName(
            "says what stands in a resource that was added or removed, without its secrets, and how many there are")
    void whole() {
        String marks = "\"sensitive_attributes\":[[{\"type\":\"get_attr\",\"value\":\"login\"}]]";
        String with = terraform(
                resource(
                        "managed",
                        "db",
                        "a",
                        "{\"attributes\":{\"login\":\"hunter1\",\"class\":\"large\"}," + marks + "}"),
                "");
        String without = terraform("", "").replace("\"serial\":1", "\"serial\":2");
        StateDiff removed = diff(with, without);
        assertThat(removed.changes())
                .filteredOn(it -> it.kind() == Kind.REMOVED)
                .containsExactly(new StateDiff.ResourceChange(
                        "db.a",
                        Kind.REMOVED,
                        List.of(
                                new StateDiff.Attribute("attributes.class", Optional.of("\"large\""), Optional.empty()),
                                new StateDiff.Attribute(
                                        "attributes.login", Optional.of(StateDiff.SECRET), Optional.empty())),
                        true));
        StateDiff added = diff(without, with);
        assertThat(added.toString()).contains("large").doesNotContain("hunter");
        assertThat(added.count(Kind.ADDED)).isEqualTo(1);
        assertThat(added.count(Kind.CHANGED)).isZero();
        assertThat(added.countOthers()).isEqualTo(1);
        assertThat(added.withoutWhole().toString()).doesNotContain("large").contains("db.a", "/serial");
    }

    @Test
    @DisplayName("never shows a text that holds a secret, whatever it is called")
    void secretTexts() {
        String before = terraform(
                resource(
                        "managed",
                        "app",
                        "a",
                        "{\"attributes\":{\"url\":\"postgres://app:hunter1@db/orders\","
                                + "\"pem\":\"-----BEGIN RSA PRIVATE KEY-----\\nhunter1\","
                                + "\"definitions\":\"[{\\\"name\\\":\\\"DB_PASSWORD\\\",\\\"value\\\":\\\"hunter1\\\"}]\","
                                + "\"environment\":[{\"name\":\"DB_PASSWORD\",\"value\":\"hunter1\"},"
                                + "{\"name\":\"REGION\",\"value\":\"visible1\"}],"
                                + "\"site\":\"https://visible1.example.org/a/b?page=2\"}}"),
                "");
        StateDiff diff = diff(before, before.replace("hunter1", "hunter22").replace("visible1", "visible2"));
        assertThat(diff.toString()).doesNotContain("hunter").contains("\"visible2\"", "https://visible2");
        assertThat(diff.changes().get(0).attributes())
                .filteredOn(StateDiff.Attribute::isSecret)
                .extracting(StateDiff.Attribute::path)
                .containsExactly(
                        "attributes.definitions",
                        "attributes.environment[0].value",
                        "attributes.pem",
                        "attributes.url");
        // A text that holds one only on one side is not shown on the other.
        assertThat(diff(before, before.replace("app:hunter1@", "")).toString()).doesNotContain("postgres://db");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POSTGRES_PASSWORD=hunter1",
                "[{\"environment\":[{\"name\":\"STRIPE_API_KEY\",\"value\":\"hunter1\"}]}]",
                "\n  {\"db\":{\"apiKey\":\"hunter1\"}}\n",
                "jdbc:postgresql://h/db?user=a&password=hunter1",
                "https://hunter1@github.com/org/repository",
                "postgres://u:hunter1/ss@h/db",
                "{\"url\":\"postgres://u:hunter1@h/db\"}",
                "{\"broken\": \"secret\", hunter1",
                "user: a\npassword: hunter1\n",
                "--set=DB_PASSWORD=hunter1"
            })
    @DisplayName("never shows these, which hold a secret")
    void secretText(String text) {
        Json unit = Json.build()
                .with("attributes", Json.build().with("value", text).build())
                .build();
        String before =
                terraform(resource("managed", "app", "a", new String(unit.bytes(), StandardCharsets.UTF_8)), "");
        assertThat(diff(before, before.replace("hunter1", "hunter22")).toString())
                .doesNotContain("hunter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "REGION=visible1",
                "arn:aws:iam::123456789012:role/visible1",
                "https://visible1.example.org/index.html?page=2",
                "{\"Statement\":[{\"Effect\":\"Allow\",\"Action\":\"s3:visible1\"}]}"
            })
    @DisplayName("shows these, which hold none")
    void plainText(String text) {
        Json unit = Json.build()
                .with("attributes", Json.build().with("value", text).build())
                .build();
        String before =
                terraform(resource("managed", "app", "a", new String(unit.bytes(), StandardCharsets.UTF_8)), "");
        assertThat(diff(before, before.replace("visible1", "visible2")).toString())
                .contains("visible2");
    }

    @Test
    @DisplayName("is told by resource for the deployer, and by member for anything else")
    void others() {
        String deployer =
                "{\"format_version\":\"deployer-state-v1\",\"resources\":{\"api\":{\"status\":\"ready\"}},\"outputs\":{}}";
        assertThat(diff(deployer, deployer.replace("ready", "failed")).changes())
                .containsExactly(new StateDiff.ResourceChange(
                        "api",
                        Kind.CHANGED,
                        List.of(new StateDiff.Attribute("status", Optional.of("\"ready\""), Optional.of("\"failed\""))),
                        true));
        assertThat(diff("{\"a/b\":1,\"c\":{\"d\":[1,2]}}", "{\"c\":{\"d\":[1,3]},\"e\":null}")
                        .changes())
                .extracting(it -> it.kind() + " " + it.address())
                .containsExactly("REMOVED /a~1b", "CHANGED /c", "ADDED /e");
        assertThat(diff("[1]", "[2]").changes()).hasSize(1);
        assertThat(diff("1", "1").isEmpty()).isTrue();
    }

    @Test
    @DisplayName("is bounded, and says so")
    void bounded() {
        StringBuilder from = new StringBuilder("{\"c\":{\"z\":0");
        for (int i = 0; i < 500; i++) {
            from.append(",\"k").append(i).append("\":1");
        }
        String text = from.append("}}").toString();
        StateDiff.ResourceChange change =
                diff(text, text.replace(":1", ":2")).changes().get(0);
        assertThat(change.attributes()).hasSize(200);
        assertThat(change.complete()).isFalse();
    }

    private static String same(int count, int value) {
        return IntStream.range(0, count)
                .mapToObj(i -> resource("managed", "db", "a", "{\"attributes\":{\"n\":" + i + ",\"v\":" + value + "}}"))
                .collect(Collectors.joining(","));
    }

    private static String distinct(int count, int value) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        resource("managed", "db", "a" + i, "{\"attributes\":{\"n\":" + i + ",\"v\":" + value + "}}"))
                .collect(Collectors.joining(","));
    }

    private static int steps(String from, String to) {
        AtomicInteger steps = new AtomicInteger();
        StateDiff diff =
                StateDiff.between(from.getBytes(StandardCharsets.UTF_8), to.getBytes(StandardCharsets.UTF_8), () -> {
                    steps.incrementAndGet();
                    return false;
                });
        assertThat(diff.changes()).hasSizeGreaterThan(9_000);
        return steps.get();
    }

    @Test
    @DisplayName("of ten thousand resources with one name takes no more steps than of ten thousand with their own")
    void linear() {
        int own = steps(terraform(distinct(9_999, 1), ""), terraform(distinct(9_999, 2), ""));
        int one = steps(terraform(same(9_999, 1), ""), terraform(same(9_999, 2), ""));
        assertThat(own).isLessThan(50_000);
        assertThat(one).isLessThan(2 * own);
    }

    @Test
    @DisplayName("tells resources of one name apart by their order, also from one that is named like the second")
    void sameNames() {
        String before = terraform(resource("managed", "db", "a (2)", "{\"v\":0}") + "," + same(4, 1), "");
        StateDiff diff =
                diff(before, terraform(resource("managed", "db", "a (2)", "{\"v\":0}") + "," + same(4, 2), ""));
        assertThat(diff.changes())
                .extracting(StateDiff.ResourceChange::address)
                .containsExactly("db.a", "db.a (3)", "db.a (4)", "db.a (5)");
        assertThat(diff.changes().get(3).attributes())
                .containsExactly(new StateDiff.Attribute("attributes.v", Optional.of("1"), Optional.of("2")));
    }

    @Test
    @DisplayName(
            "reads each of many instances of a resource by itself, also with other members and odd spaces around them")
    void instances() {
        String template =
                "{ \"instances\" : 3 , \"x\":[1,{\"instances\":[7]}], \"mode\":\"managed\" ,\"type\":\"db\",\"name\":\"a\","
                        + " \"instances\" : [ %s ] , \"é\":\"\\\"]\" }";
        String before = terraform(
                String.format(template, "{\"v\":1} ,{ \"index_key\":1,\"v\":\"ä\" },\n2.50 , \"t\",null"), "");
        String after = terraform(
                String.format(template, "{\"v\":2} ,{ \"index_key\":1,\"v\":\"ö\" },\n2.75 , \"u\",null"), "");
        assertThat(diff(before, after).changes())
                .extracting(it -> it.address() + " " + it.attributes())
                .containsExactly(
                        "db.a [Attribute[path=v, before=Optional[1], after=Optional[2]]]",
                        "db.a (2) [Attribute[path=, before=Optional[2.50], after=Optional[2.75]]]",
                        "db.a (3) [Attribute[path=, before=Optional[\"t\"], after=Optional[\"u\"]]]",
                        "db.a[1] [Attribute[path=v, before=Optional[\"ä\"], after=Optional[\"ö\"]]]");
    }

    @Test
    @DisplayName("of a unit whose paths alone would fill the memory is told as a whole")
    void longPaths() {
        String name = "n".repeat(40_000);
        String leaves = IntStream.range(0, 100_000).mapToObj(Integer::toString).collect(Collectors.joining(","));
        String document = "{\"" + name + "\":{\"" + name + "\":[" + leaves + ",%d]}}";
        StateDiff diff = diff(String.format(document, 1), String.format(document, 2));
        assertThat(diff.changes()).hasSize(1);
        assertThat(diff.changes().get(0).kind()).isEqualTo(Kind.CHANGED);
        assertThat(diff.changes().get(0).attributes()).isEmpty();
    }

    @Test
    @DisplayName("of documents that are a single value is found behind spaces too")
    void singleValues() {
        assertThat(diff(" \n1", "\t2").changes())
                .extracting(StateDiff.ResourceChange::address)
                .containsExactly("/");
        assertThat(diff(" \n1", "1").isEmpty()).isTrue();
    }

    @Test
    @DisplayName("ends between two steps when it is cancelled, or its thread is interrupted")
    void cancelled() {
        byte[] from = terraform(distinct(100, 1), "").getBytes(StandardCharsets.UTF_8);
        AtomicInteger asked = new AtomicInteger();
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(() -> StateDiff.between(from, from, () -> asked.incrementAndGet() == 10))
                .withMessageContaining("cancelled");
        assertThat(asked).hasValue(10);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(CancellationException.class).isThrownBy(() -> StateDiff.between(from, from));
        assertThat(Thread.interrupted()).as("the interrupt stays set").isTrue();
    }
}
