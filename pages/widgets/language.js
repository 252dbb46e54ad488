export default function ({ data }) {
  document.cookie = `${data.name}=${data.value}; path=/; max-age=${data.seconds}; samesite=lax`;
}
