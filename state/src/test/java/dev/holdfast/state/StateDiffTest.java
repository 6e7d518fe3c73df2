package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.state.StateDiff.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
    @DisplayName("is told by resource for the deployer, and by member for anything else")
    void others() {
        String deployer =
                "{\"format_version\":\"deployer-state-v1\",\"resources\":{\"api\":{\"status\":\"ready\"}},\"outputs\":{}}";
        assertThat(diff(deployer, deployer.replace("ready", "failed")).changes())
                .containsExactly(new StateDiff.Change(
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
        StateDiff.Change change = diff(text, text.replace(":1", ":2")).changes().get(0);
        assertThat(change.attributes()).hasSize(200);
        assertThat(change.complete()).isFalse();
    }
}
