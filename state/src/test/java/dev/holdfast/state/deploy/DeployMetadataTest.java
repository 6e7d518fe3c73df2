package dev.holdfast.state.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("what is said about a deployment")
final class DeployMetadataTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("comes from GitHub Actions")
    void github() {
        DeployMetadata found = DeployMetadata.fromEnvironment(
                Map.of(
                        "GITHUB_ACTIONS", "true",
                        "GITHUB_RUN_ID", "12345",
                        "GITHUB_ACTOR", "alice",
                        "GITHUB_SHA", "a1b2c3",
                        "GITHUB_REF_NAME", "main",
                        "HOSTNAME", "runner-1"),
                directory);
        assertThat(found.lockedBy()).isEqualTo("github-actions-run-12345");
        assertThat(found.asMap())
                .containsEntry("user", "alice")
                .containsEntry("ci_system", "github-actions")
                .containsEntry("ci_run_id", "12345")
                .containsEntry("git_commit", "a1b2c3")
                .containsEntry("git_branch", "main")
                .containsEntry("hostname", "runner-1")
                .containsEntry("pid", Long.toString(ProcessHandle.current().pid()));
        assertThat(found.withDeploymentId("dep-1").asMap()).containsEntry("deployment_id", "dep-1");
    }

    @Test
    @DisplayName("comes from GitLab CI")
    void gitlab() {
        DeployMetadata found = DeployMetadata.fromEnvironment(
                Map.of(
                        "GITLAB_CI", "true",
                        "CI_PIPELINE_ID", "77",
                        "GITLAB_USER_LOGIN", "bob",
                        "CI_COMMIT_SHA", "abc",
                        "CI_COMMIT_REF_NAME", "release"),
                directory);
        assertThat(found.lockedBy()).isEqualTo("gitlab-ci-run-77");
        assertThat(found.asMap())
                .containsEntry("user", "bob")
                .containsEntry("git_commit", "abc")
                .containsEntry("git_branch", "release");
    }

    @Test
    @DisplayName("comes from Jenkins")
    void jenkins() {
        DeployMetadata found = DeployMetadata.fromEnvironment(
                Map.of(
                        "JENKINS_URL", "http://ci/",
                        "BUILD_NUMBER", "9",
                        "BUILD_USER_ID", "carol",
                        "GIT_COMMIT", "def",
                        "GIT_BRANCH", "origin/main"),
                directory);
        assertThat(found.lockedBy()).isEqualTo("jenkins-run-9");
        assertThat(found.asMap())
                .containsEntry("ci_system", "jenkins")
                .containsEntry("user", "carol")
                .containsEntry("git_branch", "main");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "github-actions-run-7 | https://github.com/o/r/actions/runs/7 | alice | c1 | main"
                        + " | GITHUB_ACTIONS=true GITHUB_RUN_ID=7 GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=o/r"
                        + " GITHUB_ACTOR=alice GITHUB_SHA=c1 GITHUB_REF_NAME=main",
                "gitlab-ci-run-7 | https://gitlab/j/9 | alice | c1 | main"
                        + " | GITLAB_CI=true CI_PIPELINE_ID=7 CI_JOB_URL=https://gitlab/j/9 GITLAB_USER_LOGIN=alice"
                        + " CI_COMMIT_SHA=c1 CI_COMMIT_REF_NAME=main",
                "circleci-run-w7 | https://circleci.com/gh/o/r/9 | alice | c1 | main"
                        + " | CIRCLECI=true CIRCLE_WORKFLOW_ID=w7 CIRCLE_BUILD_NUM=9 CIRCLE_USERNAME=alice CIRCLE_SHA1=c1"
                        + " CIRCLE_BUILD_URL=https://circleci.com/gh/o/r/9 CIRCLE_BRANCH=main",
                "buildkite-run-b7 | https://buildkite.com/o/p/builds/9 | a@example.org | c1 | main"
                        + " | BUILDKITE=true BUILDKITE_BUILD_ID=b7 BUILDKITE_BUILD_URL=https://buildkite.com/o/p/builds/9"
                        + " BUILDKITE_BUILD_CREATOR_EMAIL=a@example.org BUILDKITE_COMMIT=c1 BUILDKITE_BRANCH=main",
                "azure-pipelines-run-7 | https://dev.azure.com/o/p/_build/results?buildId=7 | a@example.org | c1 | main"
                        + " | TF_BUILD=True BUILD_BUILDID=7 SYSTEM_COLLECTIONURI=https://dev.azure.com/o/ SYSTEM_TEAMPROJECT=p"
                        + " BUILD_REQUESTEDFOREMAIL=a@example.org BUILD_SOURCEVERSION=c1 BUILD_SOURCEBRANCH=refs/heads/main",
                "bitbucket-pipelines-run-7 | https://bitbucket.org/o/r/pipelines/results/7 | u7 | c1 | main"
                        + " | BITBUCKET_BUILD_NUMBER=7 BITBUCKET_GIT_HTTP_ORIGIN=https://bitbucket.org/o/r BITBUCKET_COMMIT=c1"
                        + " BITBUCKET_STEP_TRIGGERER_UUID=u7 BITBUCKET_BRANCH=main",
                "drone-run-7 | https://drone/o/r/7 | alice | c1 | main"
                        + " | DRONE=true DRONE_BUILD_NUMBER=7 DRONE_BUILD_LINK=https://drone/o/r/7 DRONE_BUILD_TRIGGER=alice"
                        + " DRONE_COMMIT_SHA=c1 DRONE_COMMIT_BRANCH=main",
                "aws-codebuild-run-p:7 | https://aws/7 | pipeline | c1 | main"
                        + " | CODEBUILD_BUILD_ARN=arn CODEBUILD_BUILD_ID=p:7 CODEBUILD_PUBLIC_BUILD_URL=https://aws/7"
                        + " CODEBUILD_INITIATOR=pipeline CODEBUILD_RESOLVED_SOURCE_VERSION=c1"
                        + " CODEBUILD_WEBHOOK_HEAD_REF=refs/heads/main",
                "jenkins-run-t-7 | https://ci/7 | carol | c1 | main"
                        + " | JENKINS_URL=https://ci BUILD_TAG=t-7 BUILD_URL=https://ci/7 BUILD_USER_ID=carol GIT_COMMIT=c1"
                        + " GIT_BRANCH=origin/main",
            })
    @DisplayName("comes from what CI systems say: the run, its address, who started it, commit and branch")
    void systems(String label, String url, String user, String commit, String branch, String variables) {
        Map<String, String> said = new java.util.HashMap<>();
        for (String variable : variables.strip().split(" ", -1)) {
            said.put(variable.split("=", 2)[0], variable.split("=", 2)[1]);
        }
        DeployMetadata found = DeployMetadata.fromEnvironment(said, directory);
        assertThat(found.lockedBy()).isEqualTo(label);
        assertThat(found.asMap())
                .containsEntry("ci_url", url)
                .containsEntry("user", user)
                .containsEntry("git_commit", commit)
                .containsEntry("git_branch", branch);
    }

    @Test
    @DisplayName("comes from the user and the working copy where there is no CI system")
    void local() throws IOException {
        String commit = "0123456789abcdef0123456789abcdef01234567";
        Path git = Files.createDirectories(directory.resolve(".git/refs/heads/feature"));
        Files.writeString(directory.resolve(".git/HEAD"), "ref: refs/heads/feature/x\n");
        Files.writeString(git.resolve("x"), commit + "\n");
        Path below = Files.createDirectories(directory.resolve("a/b"));
        DeployMetadata found = DeployMetadata.fromEnvironment(Map.of("USER", "dave", "HOSTNAME", "pc"), below);
        assertThat(found.lockedBy()).startsWith("dave@pc-");
        assertThat(found.asMap())
                .containsEntry("git_commit", commit)
                .containsEntry("git_branch", "feature/x")
                .doesNotContainKey("ci_system");
        Files.delete(git.resolve("x"));
        Files.writeString(directory.resolve(".git/packed-refs"), "# pack\n" + commit + " refs/heads/feature/x\n");
        assertThat(DeployMetadata.fromEnvironment(Map.of(), below).gitCommit()).contains(commit);
        Files.writeString(directory.resolve(".git/HEAD"), commit);
        assertThat(DeployMetadata.fromEnvironment(Map.of(), below).gitBranch()).isEmpty();
        Files.writeString(directory.resolve(".git/HEAD"), "ref: refs/../../etc/passwd");
        assertThat(DeployMetadata.fromEnvironment(Map.of(), below).gitCommit()).isEmpty();
    }

    @Test
    @DisplayName("is cut where it is too long, and holds no control characters")
    void bounds() {
        DeployMetadata found = DeployMetadata.fromEnvironment(
                Map.of("GITHUB_ACTIONS", "true", "GITHUB_RUN_ID", "1\n2", "GITHUB_REF_NAME", "x".repeat(1_000)),
                directory);
        assertThat(found.lockedBy()).isEqualTo("github-actions-run-12");
        assertThat(found.asMap().get("git_branch")).hasSize(200);
    }
}
