package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that make the AWS side have what they must, and match what they mean. */
class TerraformFilesTest {
    private static final Path AWS = Path.of("../deploy/terraform/aws");

    private static String all() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.list(AWS)) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".tf")).sorted().toList()) {
                text.append(Files.readString(file).replaceAll("(?m)^\\s*#.*$", ""))
                        .append('\n');
            }
        }
        return text.toString();
    }

    /** The insides of the blocks that begin so. */
    private static List<String> blocks(String text, String head) {
        List<String> found = new ArrayList<>();
        Matcher start = Pattern.compile("(?m)^\\s*" + head + "\\s*\\{").matcher(text);
        while (start.find()) {
            int depth = 1;
            int end = start.end();
            while (depth > 0) {
                char c = text.charAt(end++);
                depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            }
            found.add(text.substring(start.end(), end - 1));
        }
        return found;
    }

    private static String resource(String type, String name) throws IOException {
        List<String> found = blocks(all(), "resource \"" + type + "\" \"" + name + "\"");
        assertThat(found).as(type).hasSize(1);
        return found.get(0);
    }

    private static void assertSet(String block, String name, String value) {
        assertThat(block).containsPattern("(?m)^\\s*" + name + "\\s*=\\s*" + Pattern.quote(value) + "\\s*$");
    }

    @Test
    @DisplayName("the table is keyed by lockId, forgets by expiry, and can be restored to any time")
    void table() throws IOException {
        String table = resource("aws_dynamodb_table", "locks");
        assertSet(table, "hash_key", "\"lockId\"");
        assertSet(blocks(table, "ttl").get(0), "attribute_name", "\"expiry\"");
        assertSet(blocks(table, "ttl").get(0), "enabled", "true");
        assertSet(blocks(table, "point_in_time_recovery").get(0), "enabled", "true");
    }

    @Test
    @DisplayName("the bucket keeps versions, is encrypted, and is not public")
    void bucket() throws IOException {
        assertSet(resource("aws_s3_bucket_versioning", "state"), "status", "\"Enabled\"");
        assertThat(resource("aws_s3_bucket_server_side_encryption_configuration", "state"))
                .contains("sse_algorithm");
        String access = resource("aws_s3_bucket_public_access_block", "state");
        for (String way :
                List.of("block_public_acls", "block_public_policy", "ignore_public_acls", "restrict_public_buckets")) {
            assertSet(access, way, "true");
        }
    }

    @Test
    @DisplayName("every rule of the lifecycle is on, says what it is for, and names a prefix that is one")
    void lifecycle() throws IOException {
        List<String> rules = blocks(resource("aws_s3_bucket_lifecycle_configuration", "state"), "rule");
        assertThat(rules).hasSizeGreaterThanOrEqualTo(3);
        for (String rule : rules) {
            assertSet(rule, "status", "\"Enabled\"");
            assertThat(blocks(rule, "filter")).as(rule).hasSize(1);
            assertThat(rule).containsAnyOf("expiration {", "abort_incomplete_multipart_upload {");
            Matcher prefix = Pattern.compile("prefix\\s*=\\s*(\\S+)").matcher(rule);
            while (prefix.find()) {
                assertThat(prefix.group(1)).doesNotContain("*").matches("var\\.\\w+_prefix");
            }
        }
        for (String name : List.of("state_prefix", "documents_prefix", "locks_prefix")) {
            String variable = blocks(all(), "variable \"" + name + "\"").get(0);
            assertThat(variable).containsPattern("default\\s*=\\s*\"[^*\"]+/\"").contains("strcontains");
        }
        assertSet(blocks(all(), "variable \"history_days\"").get(0), "default", "90");
    }

    @Test
    @DisplayName("the two alarms watch what the server counts, as often and as long as they should")
    void alarms() throws IOException {
        String stale = resource("aws_cloudwatch_metric_alarm", "stale_locks");
        assertSet(stale, "metric_name", "\"deployer.lock.stale.detected\"");
        assertAlarm(stale, "0", "1");
        String contention = resource("aws_cloudwatch_metric_alarm", "lock_contention");
        assertSet(contention, "metric_name", "\"deployer.lock.acquisition.failure\"");
        assertAlarm(contention, "10", "2");
    }

    private static void assertAlarm(String alarm, String threshold, String periods) {
        assertSet(alarm, "comparison_operator", "\"GreaterThanThreshold\"");
        assertSet(alarm, "statistic", "\"Sum\"");
        assertSet(alarm, "threshold", threshold);
        assertSet(alarm, "period", "300");
        assertSet(alarm, "evaluation_periods", periods);
    }

    @Test
    @DisplayName(
            "the history has a table beside that of the locks, with the keys the store looks for, and the rights to it")
    void events() throws IOException {
        String table = resource("aws_dynamodb_table", "events");
        assertSet(table, "name", "\"${var.table_name}-events\"");
        assertSet(table, "hash_key", "\"log\"");
        assertSet(table, "range_key", "\"number\"");
        assertSet(blocks(table, "ttl").get(0), "attribute_name", "\"expiry\"");
        assertThat(blocks(all(), "data \"aws_iam_policy_document\" \"locking\"").get(0))
                .contains("[aws_dynamodb_table.events.arn]")
                .contains("dynamodb:BatchWriteItem");
    }

    @Test
    @DisplayName("the index for listings is there when asked for, as the store looks for it, with the right to read it")
    void listingIndex() throws IOException {
        assertSet(blocks(all(), "variable \"listing_index\"").get(0), "default", "false");
        String table = resource("aws_dynamodb_table", "locks");
        String index = blocks(table, "dynamic \"global_secondary_index\"").get(0);
        assertSet(index, "for_each", "var.listing_index ? [\"holdfast-namespace\"] : []");
        assertSet(index, "hash_key", "\"namespace\"");
        assertSet(index, "range_key", "\"lockName\"");
        assertSet(index, "projection_type", "\"ALL\"");
        assertSet(
                blocks(table, "dynamic \"attribute\"").get(0),
                "for_each",
                "var.listing_index ? [\"namespace\", \"lockName\"] : []");
        assertThat(blocks(all(), "data \"aws_iam_policy_document\" \"locking\"").get(0))
                .contains("${aws_dynamodb_table.locks.arn}/index/holdfast-namespace");
    }

    @Test
    @DisplayName("the files are formatted as terraform formats")
    void formatted() throws Exception {
        assertSucceeds(AWS, "fmt", "-check", "-diff");
    }

    @Test
    @DisplayName("the files are valid for the AWS provider")
    void valid(@TempDir Path copy) throws Exception {
        String plugins = System.getenv("TF_PLUGIN_DIR");
        assumeTrue(plugins != null, "no AWS provider here: TF_PLUGIN_DIR names no directory with it");
        try (Stream<Path> files = Files.list(AWS)) { // what init makes stays out of the sources
            for (Path file : files.filter(f -> f.toString().endsWith(".tf")).toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        assertSucceeds(copy, "init", "-backend=false", "-input=false", "-plugin-dir=" + plugins);
        assertSucceeds(copy, "validate");
    }

    private static void assertSucceeds(Path directory, String... command) throws Exception {
        List<String> line = new ArrayList<>(List.of("terraform"));
        line.addAll(List.of(command));
        Process process;
        try {
            process = new ProcessBuilder(line)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "terraform is not installed");
            return;
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
