export default function ({ data }) {
  document.cookie = `${data.name}=${data.value}; path=/; max-age=34560000; samesite=lax`;
}
